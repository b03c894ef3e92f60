-- Intents for which nothing is left to do stand together in this index (due_ms is NULL); now by age, so that the old ones are
-- found without reading the others (LOG-3). The name stays, for nodes that ask for it.
ALTER TABLE gift_intents
  DROP KEY gift_intents_due,
  ADD KEY gift_intents_due (due_ms, begun_at_ms);

-- A gift whose money the wallet refuses to move, again and again, is parked: due_ms is then 9223372036854775807, a time that does
-- not come. So it stands at the end of gift_intents_due, is not purged, and nodes that know of no parking leave it alone too.
ALTER TABLE gift_intents
  -- How often the wallet has refused what is left to do.
  ADD COLUMN refusals INT NOT NULL DEFAULT 0,
  -- What it said the last time.
  ADD COLUMN refused_why VARCHAR(200) NOT NULL DEFAULT '';

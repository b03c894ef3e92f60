-- Whether a reward became known only after its gift was given: then its giver is told by itself (GIFT-6). Nodes that know of
-- none write FALSE.
ALTER TABLE gift_intents
  ADD COLUMN reward_late BOOLEAN NOT NULL DEFAULT FALSE AFTER reward;

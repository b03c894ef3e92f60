-- One row a SendGift, from before any money moves: whatever happens to nodes and answers, it says what is owed to whom
-- (GIFT-1, GIFT-2).

CREATE TABLE gift_intents (
  app_code VARBINARY(32) NOT NULL,
  command_id VARBINARY(64) NOT NULL,
  room_id VARBINARY(64) NOT NULL,
  payload_hash BINARY(16) NOT NULL,
  actor_user_id VARBINARY(32) NOT NULL,
  gift_id VARBINARY(64) NOT NULL,
  pieces BIGINT NOT NULL,
  -- Frozen when the command first arrived. Coins.
  unit_price BIGINT NOT NULL,
  total_price BIGINT NOT NULL,
  lucky BOOLEAN NOT NULL,
  -- INTENT, then COMMITTED in the room's own transaction; or INTENT, VOIDING, VOIDED.
  state VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  -- NONE; or from the commit on DRAWING, DUE, PAID (GIFT-6).
  reward_state VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  reward BIGINT NOT NULL,
  -- The database's clock.
  begun_at_ms BIGINT NOT NULL,
  -- When somebody must see to it; NULL when nothing is left to do.
  due_ms BIGINT NULL,
  -- How often somebody saw to it.
  tries INT NOT NULL,
  PRIMARY KEY (app_code, command_id),
  KEY gift_intents_due (due_ms)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

CREATE TABLE gift_catalog (
  app_code VARBINARY(32) NOT NULL,
  gift_id VARBINARY(64) NOT NULL,
  -- Coins; a price that is not positive takes the gift off sale.
  unit_price BIGINT NOT NULL,
  lucky BOOLEAN NOT NULL,
  on_sale BOOLEAN NOT NULL,
  PRIMARY KEY (app_code, gift_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

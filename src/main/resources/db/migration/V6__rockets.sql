-- What fills a room's rocket, and when it launches (ROCKET-1).

-- Frozen with the price when the command first arrived.
ALTER TABLE gift_intents ADD COLUMN fuel_per_piece BIGINT NOT NULL DEFAULT 0;

ALTER TABLE gift_catalog ADD COLUMN fuel_per_piece BIGINT NOT NULL DEFAULT 0;

-- One row an app with rockets.
CREATE TABLE rocket_config (
  app_code VARBINARY(32) NOT NULL,
  -- The time of day at which every room begins anew at level 1, as HH:MM.
  reset_at VARCHAR(5) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  -- Where that time is told, as Asia/Riyadh.
  zone VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  PRIMARY KEY (app_code)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

CREATE TABLE rocket_levels (
  app_code VARBINARY(32) NOT NULL,
  -- 1 and up, without a gap.
  level INT NOT NULL,
  fuel_capacity BIGINT NOT NULL,
  -- How long a full rocket waits, ms.
  launch_delay_ms BIGINT NOT NULL,
  PRIMARY KEY (app_code, level)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

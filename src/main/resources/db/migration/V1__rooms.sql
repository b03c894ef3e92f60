-- Ids are VARBINARY: compared byte by byte, so that case, accents, trailing spaces and emoji count.

CREATE TABLE rooms (
  app_code VARBINARY(32) NOT NULL,
  room_id VARBINARY(64) NOT NULL,
  state VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  version BIGINT NOT NULL,
  -- Raised by one at every load of a cell (LEASE-11); a commit with an older one is refused.
  lease_epoch BIGINT NOT NULL,
  owner_node_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  lease_token VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  -- Whether the room must have an owner (LEASE-14).
  live BOOLEAN NOT NULL,
  PRIMARY KEY (app_code, room_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

CREATE TABLE room_command_log (
  app_code VARBINARY(32) NOT NULL,
  room_id VARBINARY(64) NOT NULL,
  version BIGINT NOT NULL,
  command_id VARBINARY(64) NOT NULL,
  payload_hash BINARY(16) NOT NULL,
  kind VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  actor_user_id VARBINARY(32) NOT NULL,
  committed_at_ms BIGINT NOT NULL,
  command MEDIUMBLOB NOT NULL,
  events MEDIUMBLOB NOT NULL,
  result MEDIUMBLOB NOT NULL,
  owner_node_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  lease_token VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  lease_epoch BIGINT NOT NULL,
  PRIMARY KEY (app_code, room_id, version),
  UNIQUE KEY room_command_log_id (app_code, room_id, command_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

CREATE TABLE room_outbox (
  app_code VARBINARY(32) NOT NULL,
  room_id VARBINARY(64) NOT NULL,
  room_version BIGINT NOT NULL,
  event_index INT NOT NULL,
  -- hash(app, room) mod 64 (OUT-6).
  partition_no SMALLINT NOT NULL,
  type VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  status VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  envelope MEDIUMBLOB NOT NULL,
  PRIMARY KEY (app_code, room_id, room_version, event_index)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

CREATE TABLE room_snapshots (
  app_code VARBINARY(32) NOT NULL,
  room_id VARBINARY(64) NOT NULL,
  version BIGINT NOT NULL,
  taken_at_ms BIGINT NOT NULL,
  state LONGBLOB NOT NULL,
  -- CRC-32C of state.
  checksum BIGINT NOT NULL,
  -- A hint, outside the checksum (PRES-7).
  last_seen LONGBLOB NOT NULL,
  PRIMARY KEY (app_code, room_id, version)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

CREATE TABLE room_timers (
  app_code VARBINARY(32) NOT NULL,
  room_id VARBINARY(64) NOT NULL,
  kind VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  -- A claim moves it on; whoever claims and dies leaves the timer to be due again then.
  due_ms BIGINT NOT NULL,
  PRIMARY KEY (app_code, room_id, kind),
  KEY room_timers_due (due_ms)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

CREATE TABLE room_list_entries (
  app_code VARBINARY(32) NOT NULL,
  room_id VARBINARY(64) NOT NULL,
  -- The version that the line shows; an older line never replaces a newer one.
  room_version BIGINT NOT NULL,
  state VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  title VARBINARY(128) NOT NULL,
  region VARBINARY(32) NOT NULL,
  online_count INT NOT NULL,
  PRIMARY KEY (app_code, room_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

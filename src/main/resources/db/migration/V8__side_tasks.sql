-- Timers of which a room may have several of a kind: for whom each of them is. Nodes that know of none write ''.
ALTER TABLE room_timers
  ADD COLUMN ref VARBINARY(64) NOT NULL DEFAULT '' AFTER kind,
  DROP PRIMARY KEY,
  ADD PRIMARY KEY (app_code, room_id, kind, ref);

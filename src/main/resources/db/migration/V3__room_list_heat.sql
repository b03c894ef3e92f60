-- The room list is read by heat, the hottest first, then by room_id. Not every server keeps an index in descending
-- order, so the order of the list has a column of its own that only grows: both queries read one index from left to
-- right, and closed rooms are in none of their ranges.

ALTER TABLE room_list_entries
  -- Coins of gifts sent in the room.
  ADD COLUMN heat BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN coldness BIGINT GENERATED ALWAYS AS (-heat) STORED;

ALTER TABLE room_list_entries
  ADD KEY room_list_hottest (app_code, state, coldness, room_id),
  ADD KEY room_list_hottest_of_region (app_code, state, region, coldness, room_id);

-- The id under which IM and RTC know a room, and which is all that their callbacks tell: the bytes of its 40 characters of
-- base32, which are the first of SHA-256 over app, NUL, room (SEC-2). Computed here, so that no writer can forget it.

ALTER TABLE rooms
  ADD COLUMN external_id BINARY(25)
    GENERATED ALWAYS AS (LEFT(UNHEX(SHA2(CONCAT(app_code, X'00', room_id), 256)), 25)) STORED,
  ADD UNIQUE KEY rooms_external_id (external_id);

-- Live rooms are looked for by owner: those of a node that is gone need another one. Neither column changes with a command
-- as a rule, so commits leave the index alone.

ALTER TABLE rooms
  ADD KEY rooms_live (live, owner_node_id, app_code, room_id);

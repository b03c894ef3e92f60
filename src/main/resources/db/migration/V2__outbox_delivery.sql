-- How the outbox is delivered. All times are the database's own, ms since 1970, UTC.

ALTER TABLE room_outbox
  -- pending, retryable: may be claimed from then on. delivering: until then the claim holds. Finished: when that was.
  ADD COLUMN due_ms BIGINT NOT NULL
    DEFAULT (TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000),
  ADD COLUMN attempts INT NOT NULL DEFAULT 0,
  ADD COLUMN worker_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  -- A finish under another token changes nothing (OUT-2).
  ADD COLUMN claim_token VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  ADD COLUMN last_error VARCHAR(500) NOT NULL DEFAULT '',
  -- The partition of a row that is to be delivered; -1 for delivered, -2 for failed. So one index finds what is due, what
  -- may be purged and what somebody has to look at, and rows that are finished are in nobody's way.
  ADD COLUMN lane SMALLINT
    AS (CASE status WHEN 'delivered' THEN -1 WHEN 'failed' THEN -2 ELSE partition_no END) STORED,
  ADD KEY room_outbox_due (lane, due_ms);

CREATE TABLE room_outbox_partitions (
  partition_no SMALLINT NOT NULL,
  -- Empty: nobody's. Each start of a worker has an id of its own.
  worker_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  lease_until_ms BIGINT NOT NULL,
  PRIMARY KEY (partition_no)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

INSERT INTO room_outbox_partitions (partition_no, worker_id, lease_until_ms) VALUES
  (0, '', 0), (1, '', 0), (2, '', 0), (3, '', 0), (4, '', 0), (5, '', 0), (6, '', 0), (7, '', 0),
  (8, '', 0), (9, '', 0), (10, '', 0), (11, '', 0), (12, '', 0), (13, '', 0), (14, '', 0), (15, '', 0),
  (16, '', 0), (17, '', 0), (18, '', 0), (19, '', 0), (20, '', 0), (21, '', 0), (22, '', 0), (23, '', 0),
  (24, '', 0), (25, '', 0), (26, '', 0), (27, '', 0), (28, '', 0), (29, '', 0), (30, '', 0), (31, '', 0),
  (32, '', 0), (33, '', 0), (34, '', 0), (35, '', 0), (36, '', 0), (37, '', 0), (38, '', 0), (39, '', 0),
  (40, '', 0), (41, '', 0), (42, '', 0), (43, '', 0), (44, '', 0), (45, '', 0), (46, '', 0), (47, '', 0),
  (48, '', 0), (49, '', 0), (50, '', 0), (51, '', 0), (52, '', 0), (53, '', 0), (54, '', 0), (55, '', 0),
  (56, '', 0), (57, '', 0), (58, '', 0), (59, '', 0), (60, '', 0), (61, '', 0), (62, '', 0), (63, '', 0);

-- Who shares the partitions.
CREATE TABLE room_outbox_workers (
  worker_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  alive_until_ms BIGINT NOT NULL,
  PRIMARY KEY (worker_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;

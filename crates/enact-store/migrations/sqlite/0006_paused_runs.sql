-- Scenes that were paused before there was a row that says so. Only one that has not ended is listed as paused, and a fork
-- of a paused scene is not paused.
INSERT INTO rows (run, kind, key, sort, body, account)
SELECT runs.id, 'paused', '', events.at, '{}', runs.account
FROM runs JOIN events ON events.run = runs.number
WHERE runs.reason IS NULL AND runs.production = 'scene' AND events.kind = 'paused'
  AND NOT EXISTS (
      SELECT 1 FROM events AS later
      WHERE later.run = events.run AND later.seq > events.seq AND later.kind IN ('paused', 'continued', 'forked')
  )
ON CONFLICT DO NOTHING;

-- What the lines come to, as columns that people can query: see docs/archive.md.

-- One row for each game whose beginning is known. The result is that after its last line.
CREATE VIEW games AS
SELECT begun.companion, begun.game AS number, begun.site, begun.board, begun.name AS game, begun.text,
    NULLIF(begun.head->>'event', '') AS event,
    NULLIF(begun.head->>'round', '') AS round,
    NULLIF(begun.head->>'board', '') AS board_tag,
    NULLIF(begun.head->>'place', '') AS place,
    NULLIF(begun.head->>'date', '') AS date,
    NULLIF(begun.head->>'clock', '') AS time_control,
    NULLIF(begun.head->>'corrects', '') AS corrects,
    begun.at AS started,
    CASE WHEN begun.reason <> '' THEN over.at END AS ended,
    CASE WHEN begun.reason <> '' AND begun.started > 0 AND over.time > 0 THEN over.time - begun.started END AS seconds,
    CASE WHEN begun.reason = '' THEN ''
        WHEN begun.winner IS NOT NULL THEN begun.winner
        WHEN begun.reason = 'given up' THEN 'given up'
        ELSE 'draw' END AS result,
    begun.winner, NULLIF(begun.reason, '') AS reason, begun.plies, begun.last_line AS lines
FROM begun
LEFT JOIN log AS over ON over.companion = begun.companion AND over.game = begun.game
    AND over.line = begun.open_line + 1;

-- One row for each seat of a game, with who sat there and what it came to for them.
CREATE VIEW players AS
SELECT begun.companion, begun.game, seats.seat, seats.player,
    NULLIF(begun.head->>seats.player, '') AS name,
    CASE WHEN begun.reason = '' THEN ''
        WHEN begun.winner = seats.player THEN 'won'
        WHEN begun.winner IS NOT NULL THEN 'lost'
        WHEN begun.reason = 'given up' THEN 'given up'
        ELSE 'draw' END AS result,
    CASE WHEN begun.reason = '' THEN NULL
        WHEN begun.winner = seats.player THEN 1.0
        WHEN begun.winner IS NOT NULL OR begun.reason = 'given up' THEN 0.0
        ELSE 0.5 END AS points
FROM begun JOIN seats ON seats.companion = begun.companion AND seats.game = begun.game;

-- One row for each time that an action, or an arbiter's correction, came to stand as ply n. Those that were
-- taken back stay, and are marked. What is played again gets a row of its own, of kind 'redo'.
CREATE VIEW derived_plies AS
SELECT ply.companion, ply.game, ply.line, ply.site, ply.board, ply.plies AS n, ply.kind,
    CASE WHEN ply.kind = 'redo' THEN first.player ELSE ply.player END AS player,
    CASE WHEN ply.kind = 'redo' THEN first.text ELSE ply.text END AS action,
    CASE WHEN ply.kind = 'redo' THEN first.written ELSE ply.written END AS written,
    CASE WHEN ply.kind = 'action' AND ply.source NOT IN ('dealt', 'text') AND ply.time > 0 THEN ply.time - (
            SELECT before.time FROM lines AS before
            WHERE before.companion = ply.companion AND before.game = ply.game AND before.line < ply.line
                AND (before.kind IN ('begin', 'action', 'takeback', 'redo', 'correction')
                    OR (before.kind = 'clock' AND before.text = 'start'))
            ORDER BY before.line DESC LIMIT 1) END AS seconds,
    ply.clock AS seconds_left, ply.source, ply.certainty, ply.at,
    EXISTS (
        SELECT 1 FROM lines AS back
        WHERE back.kind = 'takeback' AND back.companion = ply.companion AND back.game = ply.game
            AND back.line > ply.line AND back.plies < ply.plies) AS taken_back
FROM log AS ply
LEFT JOIN lines AS first ON ply.kind = 'redo' AND first.companion = ply.companion AND first.game = ply.game
    AND first.line = (
        SELECT again.line FROM lines AS again
        WHERE again.companion = ply.companion AND again.game = ply.game AND again.line < ply.line
            AND again.plies = ply.plies AND again.kind IN ('action', 'correction')
        ORDER BY again.line DESC LIMIT 1)
WHERE ply.kind IN ('action', 'redo', 'correction');

-- The same as a table: deriving all plies of ten thousand games takes seconds. Whoever adds lines derives again
-- what follows from them.
CREATE TABLE plies AS SELECT * FROM derived_plies LIMIT 0;
CREATE UNIQUE INDEX plies_of_games ON plies (companion, game, line);
CREATE INDEX plies_by_seconds ON plies (seconds);

-- One row for each refused action; the rules that it breaks are in broken_rules, a row for each.
CREATE VIEW refusals AS
SELECT companion, game, line, site, board, text AS action, player, written, by, source, rules, plies, at
FROM log WHERE kind = 'refused';

-- What arbiters decided: results, corrections, changes of the clock, takebacks by them.
CREATE VIEW rulings AS
SELECT companion, game, line, site, board, kind, by, text, plies, at
FROM log WHERE kind IN ('result', 'correction', 'clock') OR (by = 'arbiter' AND kind <> 'action' AND kind <> 'begin');

-- What the clocks showed after each ply, and how arbiters changed them.
CREATE VIEW clocks AS
SELECT companion, game, line, site, board, CASE WHEN player = '' THEN by ELSE player END AS player,
    clock AS seconds_left, CASE WHEN kind = 'clock' THEN text ELSE '' END AS change, at
FROM log WHERE clock IS NOT NULL OR kind = 'clock';

-- The newest game of each board.
CREATE VIEW boards AS
SELECT site, board, companion, number, game, event, round, started, result, plies
FROM (
    SELECT *, ROW_NUMBER() OVER (
        PARTITION BY site, board ORDER BY started IS NULL, started DESC, number DESC, companion) AS age
    FROM games) AS aged
WHERE age = 1;

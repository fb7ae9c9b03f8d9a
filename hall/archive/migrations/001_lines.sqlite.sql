-- The truth: the lines of all games as the boards sent them. They only grow.
CREATE TABLE lines (
    companion TEXT NOT NULL,            -- the identity of the store at the board
    game INTEGER NOT NULL,              -- the number of the game in it
    line INTEGER NOT NULL,              -- 0 begins the game
    site TEXT NOT NULL,
    board TEXT NOT NULL,
    kind TEXT NOT NULL,                 -- begin, action, takeback, refused, ...
    text TEXT NOT NULL,
    by TEXT NOT NULL,
    source TEXT NOT NULL,
    certainty REAL,
    time REAL NOT NULL,                 -- seconds since 1970, by the board's clock; 0 where nobody knows
    clock REAL,                         -- seconds that the player had left
    head TEXT NOT NULL,                 -- names and tags
    player TEXT NOT NULL,
    written TEXT NOT NULL,
    plies INTEGER NOT NULL,             -- how many actions stand after this line
    rules TEXT NOT NULL,                -- the numbers of the rules that a refused action breaks
    winner TEXT,
    reason TEXT NOT NULL,               -- why the game is over after this line; '' while it goes on
    arrived REAL NOT NULL,              -- seconds since 1970, by the archive's clock
    PRIMARY KEY (companion, game, line)) WITHOUT ROWID;
CREATE INDEX lines_that_are_no_actions ON lines (kind, companion, game, line, plies) WHERE kind <> 'action';

-- What the lines of each game come to, so that nobody has to read them all: its beginning, and how it stands
-- after its highest line. Every line can be added in any order, and twice, and the row comes out the same.
CREATE TABLE summaries (
    companion TEXT NOT NULL,
    game INTEGER NOT NULL,
    site TEXT, board TEXT, text TEXT, started REAL,  -- of line 0; empty while it is not there
    head TEXT NOT NULL,                -- names and tags, after all changes
    last_line INTEGER NOT NULL,
    plies INTEGER NOT NULL, winner TEXT, reason TEXT NOT NULL,  -- of the last line
    open_line INTEGER NOT NULL,         -- the highest line after which the game went on; -1 for none yet
    PRIMARY KEY (companion, game)) WITHOUT ROWID;

-- The seats of each game, in their order, as its rules have them.
CREATE TABLE seats (
    companion TEXT NOT NULL,
    game INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    player TEXT NOT NULL,
    PRIMARY KEY (companion, game, player)) WITHOUT ROWID;

-- What came and is no line of a game that could be kept.
CREATE TABLE oddities (
    digest TEXT PRIMARY KEY,            -- of topic and payload: what comes again is kept once
    arrived REAL NOT NULL,
    topic TEXT NOT NULL,
    payload BLOB NOT NULL,
    why TEXT NOT NULL);

CREATE TRIGGER lines_stay BEFORE UPDATE ON lines BEGIN
    SELECT RAISE(ABORT, 'an archive only grows'); END;
CREATE TRIGGER lines_remain BEFORE DELETE ON lines BEGIN
    SELECT RAISE(ABORT, 'an archive only grows'); END;

-- What PostgreSQL and SQLite say differently; all other views are made with these.
CREATE VIEW log AS SELECT *, strftime('%Y-%m-%d %H:%M:%f', NULLIF(time, 0), 'unixepoch') AS at FROM lines;

CREATE VIEW begun AS
SELECT *, strftime('%Y-%m-%d %H:%M:%f', NULLIF(started, 0), 'unixepoch') AS at,
    substr(text, 1, instr(text || ' ', ' ') - 1) AS name
FROM summaries WHERE text IS NOT NULL;

CREATE VIEW broken_rules AS
SELECT companion, game, line, rule.value AS rule
FROM lines, json_each(rules) AS rule
WHERE kind = 'refused';

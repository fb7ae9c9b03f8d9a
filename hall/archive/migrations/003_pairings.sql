-- Which board the hall gave a pairing to, the last time that it did: a result counts from that board alone.
CREATE TABLE pairings (
    pairing TEXT PRIMARY KEY,           -- as in the head of the game that is begun for it
    site TEXT NOT NULL,
    board TEXT NOT NULL,
    arrived DOUBLE PRECISION NOT NULL);

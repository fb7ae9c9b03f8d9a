"""Board Companion itself: games and their rules, the referee, the table, records, and the command line."""

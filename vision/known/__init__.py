"""What is known of a table: the places of its board, the empty board, and pictures of known positions."""

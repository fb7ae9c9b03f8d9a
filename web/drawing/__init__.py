"""Drawing: makes SVG, pixels and PDF of boards, pieces and games, for the page and for files."""

"""Where the board lies in a picture, found without help, by markers, or from given corners."""

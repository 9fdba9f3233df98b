"""Client of a Fairway data portal."""

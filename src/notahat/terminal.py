"""The game in a terminal: you against computer players."""

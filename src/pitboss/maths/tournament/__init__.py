"""Tournament play: the last round exactly, the rounds before it by simulation, and whole structures."""

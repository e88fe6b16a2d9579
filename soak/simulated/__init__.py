"""A floor of several servers, their disk, their network and everybody who plays, in one process and from one seed."""

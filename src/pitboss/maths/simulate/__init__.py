"""The simulator: real shoes, whole rounds, exact cents. Nothing here imports numba before a round is played."""

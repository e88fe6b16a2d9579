"""Long trials, run on demand: what `make test` samples, in full."""

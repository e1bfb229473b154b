"""How one simulation runs: compilation, the loop, random streams, and the name of the code."""

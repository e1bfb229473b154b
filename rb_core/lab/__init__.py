"""How many simulations are run and kept: stores, results, executors, sweeps, notebooks."""

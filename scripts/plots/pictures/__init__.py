"""Pictures of runs, sweeps and games, as SVG. Reading needs nothing else; drawing needs matplotlib."""

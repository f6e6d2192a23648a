"""The experiments of the five papers on data given, one module for each, beside the figures the papers print.

Each module has `run(given)`, which returns the sections of a report and the numbers behind them. They stand above
everything else: they use all stages, and nothing uses them but the command line.
"""

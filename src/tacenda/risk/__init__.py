"""Risk models: which mentions, alone or together, disclose too much."""

"""Measures of detection, utility and privacy; attackers. Knows nothing of the sanitizer."""

"""What several rooms compute with: sets of windows, n-grams of texts."""

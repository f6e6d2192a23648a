"""Studies that bring rooms together: calibrating a threshold, training vectors, attackers with the encoder."""

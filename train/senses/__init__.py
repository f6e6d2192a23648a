"""Training of the senses in context."""

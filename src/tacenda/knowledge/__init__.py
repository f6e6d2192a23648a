"""What is known about the world: an index of counts, taxonomies, vectors."""

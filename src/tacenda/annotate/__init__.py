"""Find sentences, noun phrases, entities and identifiers in a document."""

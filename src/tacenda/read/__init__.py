"""Read files into documents and write them back in the same format."""

"""Certificates, and the independent verifier."""

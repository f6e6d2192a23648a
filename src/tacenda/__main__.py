"""`python -m tacenda`."""

from tacenda.cli import main

main(prog_name="tacenda")

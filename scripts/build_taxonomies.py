"""Build the taxonomies that ship with Tacenda from their sources. See docs/taxonomies.md.

python scripts/build_taxonomies.py --sources FOLDER --output src/tacenda/data/taxonomies
"""

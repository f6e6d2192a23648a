"""Cases under review.

record.py    one case: its decisions, what reviewers did, versions, undo and redo; no input or output
store.py     cases in a work folder or in memory
desk.py      the worker's side: reading, planning, why, candidates, fitting, assessing again
release.py   the worker's side of a release: files, certificate, report, log
handling.py  what a request does to a case: checks, records, audit
deciding.py  what reviewers decide, step by step
routes.py    the addresses
"""

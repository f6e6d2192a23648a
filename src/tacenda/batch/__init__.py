"""Many files: folders, record files, cases; written whole or not at all, and resumed where a run was broken off."""

from tacenda.batch.folder import Run, sanitize_folder
from tacenda.batch.one_case import Outcome, Recipe, Tally, Task, Worker
from tacenda.batch.write import atomic

__all__ = ["Outcome", "Recipe", "Run", "Tally", "Task", "Worker", "atomic", "sanitize_folder"]

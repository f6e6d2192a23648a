"""The plan of a document: made in rounds, reviewed, applied, checked.

find_mentions -> make_plan (candidates, choosing, assessing again) -> override -> apply, write
"""

from tacenda.plan.applying import apply, check_written, write
from tacenda.plan.mentions import assess, find_mentions, leaks
from tacenda.plan.planner import make_plan
from tacenda.plan.review import override

__all__ = ["apply", "assess", "check_written", "find_mentions", "leaks", "make_plan", "override", "write"]

"""A policy says what to protect, how much may be disclosed, and what may replace it.

Policies are TOML files; the ones that come with the product lie in `policies/`, each to copy from. Several policies
combine into one.
"""

from tacenda.policy.combining import combine, policy_of, protecting
from tacenda.policy.from_toml import alpha, check, from_dict, load, shipped, shipped_text
from tacenda.policy.policy_type import KEYS, Policy, Settings, to_dict

__all__ = [
    "KEYS",
    "Policy",
    "Settings",
    "alpha",
    "check",
    "combine",
    "from_dict",
    "load",
    "policy_of",
    "protecting",
    "shipped",
    "shipped_text",
    "to_dict",
]

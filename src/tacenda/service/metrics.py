"""Counters in Prometheus' text format. Labels are routes and statuses, never what was sent."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


@dataclass
class Metrics:
    """What the server counts."""

    requests: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    buckets: Counter[tuple[str, float]] = field(default_factory=Counter)
    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    bytes_in: int = 0

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one answered request."""
        self.requests[method, route, status] += 1
        self.seconds[route] += seconds
        for bound in BOUNDS:
            if seconds <= bound:
                self.buckets[route, bound] += 1

    def text(self, *, waiting: int) -> str:
        """Return all counters in Prometheus' format."""
        lines = ["# HELP tacenda_requests_total Requests answered.", "# TYPE tacenda_requests_total counter"]
        for (method, route, status), count in sorted(self.requests.items()):
            lines.append(f'tacenda_requests_total{{method="{method}",route="{route}",status="{status}"}} {count}')
        lines += ["# HELP tacenda_request_seconds Time to answer.", "# TYPE tacenda_request_seconds histogram"]
        totals: Counter[str] = Counter()
        for (_, route, _status), count in self.requests.items():
            totals[route] += count
        for route, total in sorted(totals.items()):
            for bound in BOUNDS:
                count = self.buckets[route, bound]
                lines.append(f'tacenda_request_seconds_bucket{{route="{route}",le="{bound:g}"}} {count}')
            lines.append(f'tacenda_request_seconds_bucket{{route="{route}",le="+Inf"}} {total}')
            lines.append(f'tacenda_request_seconds_sum{{route="{route}"}} {self.seconds[route]:.6f}')
            lines.append(f'tacenda_request_seconds_count{{route="{route}"}} {total}')
        lines += ["# HELP tacenda_received_bytes_total Bytes received.", "# TYPE tacenda_received_bytes_total counter"]
        lines.append(f"tacenda_received_bytes_total {self.bytes_in}")
        lines += ["# HELP tacenda_waiting Calls at work or waiting.", "# TYPE tacenda_waiting gauge"]
        lines.append(f"tacenda_waiting {waiting}")
        return "\n".join(lines) + "\n"

"""The review page with a case of 300 pages and 5,000 decisions, in Chromium: how long people wait.

    python -m benchmarks.speed.review --notes notes.jsonl [-o results.json]

The case is made of real clinical notes (`note` of each line), repeated with other names until it has the pages (3,000
characters each); each note gets a head with a name, dates, an address and numbers, as notes have that were not prepared
for research. Times are taken in the page, from the key to the frame that shows what it did, by the clock (beside
the load of the machine) and in processor time of the page's thread.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import time
from pathlib import Path
from typing import Any

PAGE = 3_000  # characters
FRAME = "new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))"
FIRST = "Ada Ben Clara David Elena Frank Grace Henry Ines Jonas Karla Leo Mara Nils Olga Peter Rosa Simon Tess Victor"
LAST = "Abbott Barlow Carver Dalton Emerson Fletcher Granger Holt Ibsen Jarvis Keller Lowell Marsh Norton Osgood Porter"
TOWNS = "Sacramento Fresno Oakland Stockton Modesto Salinas Redding Eureka"


def long_case(notes: list[str], pages: int) -> str:
    """Return notes one after the other, each about somebody else."""
    chance = random.Random(1)
    out: list[str] = []
    size = number = 0
    while size < pages * PAGE:
        first, last = chance.choice(FIRST.split()), chance.choice(LAST.split())
        other, doctor = chance.choice(FIRST.split()), chance.choice(LAST.split())
        head = (
            f"Patient: {first} {last}{number}, {chance.choice(TOWNS.split())}, born {chance.randint(1, 28)} March"
            f" {chance.randint(1930, 2004)}. Record {chance.randint(10**6, 10**7)}. Phone (916) 555-{number:04d},"
            f" {first.lower()}.{last.lower()}{number}@example.org. Seen by Dr {doctor} on {chance.randint(1, 28)} May"
            f" 2023. Next of kin: {other} {last}{number}, (916) 555-{number + 5000:04d}. Referred by Dr"
            f" {chance.choice(LAST.split())}, {chance.choice(TOWNS.split())}, on {number % 28 + 1} April 2023.\n\n"
        )
        out.append(head + notes[number % len(notes)])
        size += len(out[-1]) + 2
        number += 1
    return "\n\n".join(out)


def opened(live: Any, text: str) -> tuple[str, float]:
    """Open the case; return its number and how long reading and planning took."""
    import httpx2 as httpx

    began = time.perf_counter()
    with httpx.Client(base_url=live.address, headers={"Authorization": f"Bearer {live.token}"}, timeout=60) as client:
        id_ = str(client.post("/v1/cases", files={"file": ("case.txt", text.encode())}).json()["id"])
        while True:
            line = next(one for one in client.get("/v1/cases").json()["cases"] if one["id"] == id_)
            if line["state"] != "opening":
                break
            time.sleep(1.0)
    if line["state"] != "to do":
        raise SystemExit(f"the case could not be opened: {line}")
    return id_, time.perf_counter() - began


class Watch:
    """Measures in the page, by the clock and in processor time of the page's thread."""

    def __init__(self, page: Any) -> None:
        self.page, self.cdp = page, page.context.new_cdp_session(page)
        self.cdp.send("Performance.enable", {"timeDomain": "threadTicks"})
        self.rows: dict[str, dict[str, float]] = {}

    def cpu_ms(self) -> float:
        """Return the processor time that tasks of the page took so far."""
        found = {m["name"]: m["value"] for m in self.cdp.send("Performance.getMetrics")["metrics"]}
        return 1000 * float(found["TaskDuration"])

    def note(self, name: str, scripts: list[str], *, until: str = "") -> None:
        """Run scripts one by one; note how long each took until the frame after it, or until something is shown."""
        wait = f"while (!({until})) await new Promise((go) => setTimeout(go, 4))" if until else f"await {FRAME}"
        took, before = [], self.cpu_ms()
        for script in scripts:
            body = f"const began = performance.now(); {script}; {wait}; return performance.now() - began;"
            took.append(float(self.page.evaluate(f"(async () => {{ {body} }})()")))
        took.sort()
        self.rows[name] = {
            "median_ms": round(statistics.median(took), 1),
            "p95_ms": round(took[int(0.95 * (len(took) - 1))], 1),
            "cpu_ms": round((self.cpu_ms() - before) / len(took), 1),
        }


def press(key: str) -> str:
    """Return a script that presses a key."""
    return f"document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}', bubbles: true}}))"


def chosen(kind: str, number: int) -> str:
    """Return a script that picks from a list of filters."""
    box = f"const box = document.querySelector('select[aria-label=\"{kind}\"]')"
    return f"{box}; box.selectedIndex = {number}; box.dispatchEvent(new Event('change'))"


def typed(words: str) -> str:
    """Return a script that searches."""
    box = "const box = document.querySelector('input[type=search]')"
    return f"{box}; box.value = '{words}'; box.dispatchEvent(new Event('input'))"


def measured(page: Any) -> dict[str, dict[str, float]]:
    """Use the page as a reviewer does."""
    watch, chance = Watch(page), random.Random(2)
    for name, what in (("list", ".rows"), ("document", ".text")):
        height = int(page.evaluate(f"document.querySelector('{what}').scrollHeight"))
        jumps = [f"document.querySelector('{what}').scrollTop = {chance.randrange(height)}" for _ in range(40)]
        watch.note(f"jump in the {name}", jumps)
        steps = [f"document.querySelector('{what}').scrollTop += 120" for _ in range(80)]
        watch.note(f"scroll the {name}", steps)
    watch.note("next decision", [press("j")] * 60)
    watch.note("why and choices are shown", [press("j")] * 40, until="document.querySelector('.choices')")
    watch.note("accept, go on", [press("a")] * 40)
    watch.note("keep the original", [press("x")] * 10)
    watch.note("undo", [press("u")] * 10)
    watch.note("search", [typed(word) for word in ("p", "po", "porter", "555", "march", "")])
    watch.note("filter", [chosen(kind, n) for kind in ("Kind", "State", "Risk") for n in (1, 2, 0)])
    return watch.rows


def main() -> None:
    """Make the case, open it, measure, print."""
    from tests.service.live import served

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", type=Path, required=True)
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument(
        "--running", metavar="ADDRESS#TOKEN", help="a server that has the case open already, as its first"
    )
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    notes = [json.loads(line)["note"] for line in arguments.notes.read_text("utf-8").splitlines()]
    text = long_case(notes, arguments.pages)
    result: dict[str, Any] = {"pages": arguments.pages, "characters": len(text), "cores": os.cpu_count()}
    if arguments.running:
        result |= in_browser(arguments.running, "1")
    else:
        with served("--policy", "identifiers", "--rate", "1000", "--seconds", "600") as live:
            id_, planning = opened(live, text)
            result |= {"plan_s": round(planning, 1), **in_browser(live.page, id_)}
    print(json.dumps(result, indent=1))
    if arguments.output:
        arguments.output.write_text(json.dumps(result, indent=1) + "\n", "utf-8")


def in_browser(address: str, id_: str) -> dict[str, Any]:
    """Open the case on the page and measure."""
    from playwright.sync_api import sync_playwright
    from tests.service.live import browser_path

    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.goto(address)
        page.wait_for_selector("#files")
        began = time.perf_counter()
        page.goto(f"{address.split('#')[0].rstrip('/')}/#case/{id_}")
        page.wait_for_selector(".choices", timeout=120_000)
        ready = time.perf_counter() - began
        decisions = int(page.evaluate("document.querySelector('.list-head .soft').textContent"))
        rows = measured(page)
        browser.close()
    load = round(os.getloadavg()[0], 1)  # what else the machine had to do
    return {"decisions": decisions, "open_s": round(ready, 2), "load_average": load, "rows": rows}


if __name__ == "__main__":
    main()

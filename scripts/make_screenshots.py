"""Take the pictures of the review page for README and docs: `python scripts/make_screenshots.py`.

Needs the extra `dev` and a Chromium. The server runs on examples/; pictures go to docs/images, each under 200 kB.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
LIMIT = 200_000
CASES = ("biography.txt", "clinic-letter.txt", "court-paragraph.txt", "email.txt")


def main() -> None:
    """Run the server, drive the page, take the pictures."""
    from playwright.sync_api import sync_playwright

    browser_path = next((p for name in ("chromium", "google-chrome") if (p := shutil.which(name))), None)
    if browser_path is None:
        sys.exit("no Chromium found: apt-get install chromium")
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as running:
        for name in CASES:
            shutil.copy(ROOT / "examples" / name, folder)
        command = [sys.executable, "-m", "tacenda", "serve", "--port", "0", "--cases", folder, "--workers", "1"]
        command += ["--policy", "identifiers", "--policy", "health"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONUNBUFFERED": "1"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
            assert server.stdout is not None
            address = re.search(r"http\S+", server.stdout.readline())
            assert address
            try:
                browser = running.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
                page = browser.new_page(viewport={"width": 1260, "height": 640})
                take(page, address[0])
                browser.close()
            finally:
                server.terminate()
    for image in sorted(IMAGES.glob("review-*.png")):
        few_colors(image)
        if image.stat().st_size > LIMIT:
            sys.exit(f"{image.name} has {image.stat().st_size} bytes; at most {LIMIT}")
        print(f"{image.name}: {image.stat().st_size // 1000} kB")


def few_colors(image: Path) -> None:
    """A page of text needs no more than 256 colors, and its picture then a third of the bytes."""
    from PIL import Image

    with Image.open(image) as picture:
        small = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    small.save(image, optimize=True)


def take(page: Any, address: str) -> None:
    """The queue, a case in both color schemes, a limit moved, a release."""
    page.goto(address)
    page.wait_for_selector(f"a[href='#case/{len(CASES)}']", timeout=180_000)
    page.wait_for_timeout(3000)
    page.click("tr[data-case='2'] a")
    page.wait_for_selector(".choices")
    for _ in range(4):
        page.keyboard.press("a")
        page.wait_for_timeout(150)
    page.click(".cell:not(.result) mark:has-text('Oak Park')")
    page.wait_for_timeout(400)
    page.keyboard.press("x")
    page.wait_for_timeout(1500)
    page.click(".cell:not(.result) mark:has-text('antiretroviral')")
    page.wait_for_selector(".choices")
    page.wait_for_timeout(1500)
    page.screenshot(path=IMAGES / "review-case.png")
    page.emulate_media(color_scheme="dark")
    page.screenshot(path=IMAGES / "review-dark.png")
    page.emulate_media(color_scheme="light")
    page.keyboard.press("l")
    page.locator("#limit-alpha").fill("4")
    page.wait_for_selector("text=would be hidden", timeout=60_000)
    page.screenshot(path=IMAGES / "review-limit.png")
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    page.wait_for_timeout(800)
    page.keyboard.press("Shift+A")
    page.wait_for_timeout(800)
    page.keyboard.press("r")
    page.wait_for_selector(".badge:text-is('reviewed')")
    page.keyboard.press("r")
    page.click("dialog button.primary")
    page.wait_for_selector("text=Download all as one archive", timeout=60_000)
    page.screenshot(path=IMAGES / "review-release.png")
    page.keyboard.press("Escape")
    page.click("text=Cases")
    page.wait_for_selector("#files")
    page.wait_for_timeout(1000)
    page.screenshot(path=IMAGES / "review-queue.png")


if __name__ == "__main__":
    main()

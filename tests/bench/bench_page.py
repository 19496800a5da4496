"""A page that shows 20,000 chunks of one answer while the person types, in Chromium.

    python tests/bench/bench_page.py [CHUNKS]

Prints the longest task of the page's main thread and how long a key took to be in the composer,
beside the same keys before the answer, in the same page.
"""

import os
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from playwright.sync_api import Page, expect

from fakes.browser import open_chromium
from fakes.running_app import serving, write_config
from fakes.scripts import Script, on_prompt, say, script, sleep

KEYS = 60
WATCH = """() => {
  window.tasks = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.tasks.push(entry.duration);
  }).observe({ type: "longtask" });
}"""
PRESS = """() => new Promise((done) => {
  const composer = document.querySelector("textarea");
  const begun = performance.now();
  composer.value += "x";
  composer.dispatchEvent(new InputEvent("input", { bubbles: true }));
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)));
})"""


def flowing(chunks: int) -> Script:
    """Return an agent that says that many words in about ten seconds, in paragraphs."""
    words = [say("word "), say("and **more** ")] * 49 + [say("`code`.\n\n"), say("- item\n")]
    return script(on_prompt({"repeat": chunks // 100, "steps": [*words, sleep(0.05)]}))


def press_keys(page: Page) -> list[float]:
    """Return how many milliseconds each of some keys took to be painted."""
    times: list[float] = []
    for _ in range(KEYS):
        times.append(page.evaluate(PRESS))
        page.wait_for_timeout(80)
    return times


def main() -> None:
    chunks = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    with tempfile.TemporaryDirectory(prefix="sk-") as folder:
        os.environ["HOME"] = folder
        config = write_config(Path(folder), {"alice": flowing(chunks)})
        log = Path(folder) / "log"
        with serving(config, dict(os.environ), log) as app, open_chromium() as chromium:
            page = chromium.new_page()
            page.goto(app.url)
            page.get_by_role("navigation").get_by_role("button", name="Alice").first.click()
            page.locator("textarea").fill("quiet: ")
            page.evaluate(WATCH)
            quiet = press_keys(page)
            page.locator("textarea").fill("go")
            page.locator("textarea").press("Enter")
            expect(page.get_by_text("and more").first).to_be_visible(timeout=60_000)
            page.evaluate("window.tasks.length = 0")
            busy = press_keys(page)
            expect(page.get_by_text("finished")).to_be_visible(timeout=300_000)
            tasks: list[float] = page.evaluate("window.tasks")
            heap: int = page.evaluate("performance.memory.usedJSHeapSize")
    sys.stdout.write(
        f"{chunks} chunks of one answer\n"
        f"longest task {max(tasks, default=0):.0f} ms ({len(tasks)} over 50 ms)\n"
        f"a key is painted in {statistics.median(busy):.0f} ms (worst {max(busy):.0f}),"
        f" without an answer in {statistics.median(quiet):.0f} (worst {max(quiet):.0f})\n"
        f"heap {heap / 1e6:.0f} MB\n"
    )


if __name__ == "__main__":
    main()

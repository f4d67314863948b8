"""A headless Chromium that opens pages of ours and notes whatever they ask for."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
Scheme = Literal["light", "dark"]


@contextmanager
def chromium() -> Iterator[Browser]:
    """The machine's own Chromium; a test that needs it is skipped where there is none, but not in CI."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        if os.environ.get("CROUPIER_BROWSER") == "needed":
            pytest.fail(f"expected a browser, none of {', '.join(PROGRAMS)} is installed")
        pytest.skip(f"no browser: none of {', '.join(PROGRAMS)} is installed")
    # Chromium's own sandbox does not start for root, which is who runs tests in a container.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        try:
            yield browser
        finally:
            browser.close()


class Watched:
    """A page with all it asked for and all that went wrong on it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.requests: list[str] = []
        self.problems: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", lambda message: self.problems.append(message.text))

    def open(self, path: Path, part: str = "") -> Page:
        """Load a file as a page, at `part` of it (`#12`)."""
        self.page.goto(path.resolve().as_uri() + part)
        return self.page


@contextmanager
def watched(
    browser: Browser, width: int = 1400, height: int = 900, scheme: Scheme = "light"
) -> Iterator[Watched]:
    """A page in a window of this size, on a machine of this colour scheme."""
    size = {"width": width, "height": height}
    context = browser.new_context(viewport=size, color_scheme=scheme)  # type: ignore[arg-type]  # a TypedDict
    try:
        yield Watched(context.new_page())
    finally:
        context.close()

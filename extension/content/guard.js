// Keeps the overlay where the reader can see it. A page can remove, move, hide or cover its host element. The overlay
// is then put back a few times; a page that goes on gets it closed, and the check is shown in a tab of its own.
// No timers: a page can cancel those of content scripts.
(() => {
  const ghost = (globalThis.ghost ??= {});
  const MOST_REPAIRS = 4;
  const FORGOTTEN_MS = 30_000;

  /**
   * Watch `host`, the element in the page, and `box`, the dialog in its shadow root. `listen` adds the listeners of the
   * overlay again, `onLost` is called at most once.
   */
  function watch(host, box, listen, onLost) {
    let repairs = 0;
    let last = 0;
    let stopped = false;
    const parents = new MutationObserver(() => check());
    const size = new ResizeObserver(() => check());
    const cover = new IntersectionObserver(
      (entries) => {
        // Version 2 of the interface knows what covers a box, also what lets the pointer through.
        if (entries.at(-1).isVisible === false) check(true);
      },
      { trackVisibility: true, delay: 200, threshold: [0, 1] },
    );

    function observe() {
      parents.observe(document, { childList: true });
      parents.observe(host, { attributes: true });
      if (document.documentElement) parents.observe(document.documentElement, { childList: true, attributes: true });
    }

    /** Whether the page leaves the overlay in peace; `covered` says that something lies over it. */
    function check(covered = false) {
      // Nothing is seen of a page in the background; what is amiss then is noticed when it comes back.
      if (stopped || document.visibilityState !== "visible" || (!covered && isIntact(host, box))) return;
      const now = performance.now();
      repairs = now - last > FORGOTTEN_MS ? 1 : repairs + 1;
      last = now;
      if (repairs > MOST_REPAIRS || !document.documentElement) {
        stop();
        onLost();
        return;
      }
      raise(host, box, listen);
      observe();
      // The observers report once more, and so tell whether that has helped.
      for (const observer of [size, cover]) {
        observer.unobserve(box);
        observer.observe(box);
      }
    }

    function stop() {
      stopped = true;
      for (const observer of [parents, size, cover]) observer.disconnect();
    }

    observe();
    size.observe(box);
    cover.observe(box);
    return { check, stop };
  }

  function isIntact(host, box) {
    if (host.parentNode !== document.documentElement || !box.matches(":popover-open, :modal")) return false;
    const { left, right, top, bottom, width, height } = box.getBoundingClientRect();
    if (width < 50 || height < 50) return false;
    const points = [
      [(left + right) / 2, (top + bottom) / 2],
      [left + 20, top + 20],
      [right - 20, bottom - 20],
    ];
    return points.every(([x, y]) => document.elementFromPoint(x, y) === host);
  }

  /** Put the overlay into the page and on top of everything in it. */
  function raise(host, box, listen) {
    listen(); // document.open() of a page removes listeners from shadow roots too
    host.removeAttribute("inert");
    if (host.parentNode !== document.documentElement) document.documentElement.append(host);
    box.style.zoom = String(1 / (host.currentCSSZoom || 1)); // a page that is enlarged by its own rules
    if (box.matches(":popover-open")) box.hidePopover();
    if (box.matches(":modal")) box.close();
    // Beside a modal dialog of the page everything else is dead, unless it is a modal dialog too.
    if (document.querySelector(":modal")) {
      box.removeAttribute("popover");
      box.showModal();
    } else {
      box.setAttribute("popover", "manual");
      box.showPopover();
    }
  }

  ghost.guard = { watch, raise };
})();

// Elements made from values. Whatever comes from outside enters as a text node or a checked address.
(() => {
  const ghost = (globalThis.ghost ??= {});
  const SVG = "http://www.w3.org/2000/svg";

  // Drawn on 24 by 24; all are strokes, except "half".
  const ICONS = {
    check: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8 12.3l2.8 2.8L16 9.5",
    cross: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9 9l6 6M15 9l-6 6",
    half: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 4v16M14 5v14M16 6v12M18 7.5v9",
    warning: "M12 3.5 2.8 20h18.4zM12 10v4.5M12 17v.4",
    question: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9.6 9.8a2.4 2.4 0 1 1 3.6 2.1c-.8.5-1.2 1-1.2 1.9M12 16.6v.4",
    minus: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8 12h8",
    up: "M12 19V5M6 11l6-6 6 6",
    down: "M12 5v14M6 13l6 6 6-6",
    dot: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v2",
    page: "M6 3h8l4 4v14H6zM9 12h6M9 16h6",
    clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3.5 2",
    ring: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z",
    close: "M6 6l12 12M18 6 6 18",
    open: "M14 4h6v6M20 4l-9 9M17 14v6H4V7h6",
  };

  /** A factory of elements for one document; the overlay's is not that of the script. */
  function maker(document) {
    /** `make("p", {class: "note"}, "text", element)`: strings become text nodes, and empty children are left out. */
    function make(tag, attributes = {}, ...children) {
      const element = document.createElement(tag);
      for (const [name, value] of Object.entries(attributes)) {
        if (name === "click") element.addEventListener("click", (event) => event.isTrusted && value(event));
        else if (value !== false && value != null) element.setAttribute(name, value === true ? "" : value);
      }
      element.append(...children.flat().filter((child) => child || child === 0));
      return element;
    }

    /** A picture for a word that stands beside it. */
    function icon(name) {
      const svg = document.createElementNS(SVG, "svg");
      const path = document.createElementNS(SVG, "path");
      const attributes = { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon" };
      for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
      path.setAttribute("d", ICONS[name] ?? ICONS.dot);
      svg.append(path);
      return svg;
    }

    /** A link that opens in a new tab and tells its target nothing; plain text where the address is not safe. */
    function link(address, words, attributes = {}) {
      const href = ghost.text.safeUrl(address);
      if (!href) return make("span", {}, words);
      return make(
        "a",
        { href, target: "_blank", rel: "noopener noreferrer", referrerpolicy: "no-referrer", ...attributes },
        words,
      );
    }

    /** Word and icon of one meaning, in its colour. */
    function badge({ word, icon: name, colour }) {
      return make("span", { class: `badge ${colour}` }, icon(name), word);
    }

    return { make, icon, link, badge };
  }

  /** Make the children of `parent` those of `items`, and redraw only what has changed. Each item has a `key`. */
  function reconcile(parent, items, draw) {
    const known = new Map([...parent.children].map((child) => [child.ghostKey, child]));
    const wanted = items.map((item) => {
      const state = JSON.stringify(item);
      const before = known.get(item.key);
      if (before?.ghostState === state) return before;
      return Object.assign(draw(item, !before), { ghostKey: item.key, ghostState: state });
    });
    // What stays is not moved, so that it keeps the focus.
    wanted.forEach((child, at) => {
      if (parent.children[at] !== child) parent.insertBefore(child, parent.children[at] ?? null);
    });
    while (parent.children.length > wanted.length) parent.lastElementChild.remove();
  }

  ghost.dom = { maker, reconcile };
})();

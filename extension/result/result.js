// A check in a tab of its own: for pages on which nothing can be drawn, or that do not let the overlay be.

const RULES = `
  main { max-width: 720px; margin: 24px auto; padding: 0 12px; }
  #check { border: 1px solid var(--border); border-radius: 8px; }
  #why { margin-bottom: 12px; }
`;
const asked = new URLSearchParams(location.search);
globalThis.ghost.style.apply(document, RULES);
document.getElementById("why").hidden = asked.get("why") !== "moved";

const view = globalThis.ghost.view.open(document.getElementById("check"), { act: (name) => line.act(name) });
const line = globalThis.ghost.link.open(
  asked.get("check") ?? "",
  (check) => view.draw(check),
  (words) => view.message(words),
);

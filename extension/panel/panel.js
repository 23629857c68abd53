// The side panel: the latest check, and the recent ones of the server.

const RULES = `
  main { display: grid; gap: 16px; padding: 12px; }
  h2 { font: 600 17px/1.3 var(--serif); }
  #current { border: 1px solid var(--border); border-radius: 8px; }
  #current > p { padding: 14px 16px; }
  #recent ul { list-style: none; display: grid; gap: 8px; }
  #recent button { text-align: left; border-color: transparent; padding: 2px 0; }
`;
const { text, words, dom, outcome, style, link: lines, view: views } = globalThis.ghost;
const { make, link, badge, icon } = dom.maker(document);
const current = document.getElementById("current");
const recent = document.getElementById("recent");
let view = null;
let stage = "";

style.apply(document, RULES);

const line = lines.open(
  "latest",
  (check) => {
    view ??= views.open(current, { level: 2, act: (name) => line.act(name) });
    view.draw(check);
    if (check.stage !== stage && check.stage === "ended") void showRecent();
    stage = check.stage;
  },
  () => {
    current.replaceChildren(
      make("p", { class: "pale" }, "Select a sentence on a page, right-click it and choose Check with Ghost."),
    );
  },
);

chrome.runtime.onMessage.addListener((message) => {
  if (message?.type === "check-began") line.reconnect();
});
document.getElementById("refresh").addEventListener("click", showRecent);
void showRecent();

async function showRecent() {
  const found = (await chrome.runtime.sendMessage({ type: "recent" })) ?? {
    problem: { title: "The extension is not responding" },
  };
  if (found.problem) {
    const { title, detail, remedy } = found.problem;
    const told = [detail, remedy]
      .filter((each) => each && each !== `${title}.`)
      .map((each) => make("p", { class: "small" }, outcome.coded(make, each)));
    recent.replaceChildren(
      make(
        "div",
        { class: "box" },
        make("p", { class: "alert orange" }, icon("warning"), make("strong", {}, title)),
        told,
      ),
    );
  } else if (!found.runs.length) {
    recent.replaceChildren(make("p", { class: "pale" }, "No claim has been checked yet."));
  } else {
    recent.replaceChildren(make("ul", {}, found.runs.map(row)));
  }
}

/** A verdict only where the run has one; else how it ended. */
function row({ runId, claim, status, label, startedAt, workbench }) {
  const verdict = status === "finished" ? words.VERDICTS[label] : null;
  const meaning = verdict ?? words.STATUSES[status] ?? words.STATUSES.failed;
  const show = () => chrome.runtime.sendMessage({ type: "open-run", runId, claim }).then(() => window.scrollTo(0, 0));
  return make(
    "li",
    { class: "box" },
    make("button", { type: "button", click: show }, claim),
    make(
      "p",
      { class: "row small" },
      badge(meaning),
      make("span", { class: "pale" }, text.day(startedAt)),
      workbench && link(workbench, "Open in the workbench", { "aria-label": `Open in the workbench: ${claim}` }),
    ),
  );
}

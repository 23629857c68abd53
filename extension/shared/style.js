// How everything looks: the colours of the workbench (.streamlit/config.toml), light and dark.
(() => {
  const ghost = (globalThis.ghost ??= {});

  const CSS = `
:root {
  color-scheme: light dark;
  --back: #fcfbf8; --back2: #f3f0e9; --text: #101317; --pale: #565d66; --border: #dcd6c9; --control: #868b92;
  --blue: #1f4b7a; --blue-back: #e2ebf4; --green: #0a6a51; --green-back: #dcf0e9; --red: #a5341a; --red-back: #fae3db;
  --orange: #6f5800; --orange-back: #fbf0c6; --violet: #5b4090; --violet-back: #ece5f6; --gray: #555b64;
  --gray-back: #ebe8e1;
  --primary: #1f4b7a; --on-primary: #ffffff;
  --sans: "Source Sans 3", "Source Sans Pro", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  --serif: "Source Serif 4", "Source Serif Pro", Georgia, "Times New Roman", serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14171b; --back2: #1d2127; --text: #e9e6df; --pale: #a9b0b9; --border: #353c45; --control: #7b838d;
    --blue: #9cc4ec; --blue-back: #1a2e44; --green: #6ed3b5; --green-back: #123329; --red: #f5a089; --red-back: #43211a;
    --orange: #ead27a; --orange-back: #514512; --violet: #c5b2ea; --violet-back: #2f2545; --gray: #a9b0b9;
    --gray-back: #2a3037;
    --primary: #8fbce8; --on-primary: #101317;
  }
}
* { box-sizing: border-box; }
html { background: var(--back); scrollbar-width: thin; }
body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.5 var(--sans); overflow-wrap: anywhere; }
[hidden] { display: none !important; }
h1, h2, h3 { font-family: var(--serif); font-weight: 600; line-height: 1.25; margin: 0; }
p, ol, ul, blockquote { margin: 0; padding: 0; }
a { color: var(--blue); text-underline-offset: 2px; }
code { font: 13px/1.4 ui-monospace, Consolas, monospace; background: var(--back2); padding: 1px 5px;
  border-radius: 4px; }
.icon { width: 1.15em; height: 1.15em; flex: none; fill: none; stroke: currentColor; stroke-width: 2;
  stroke-linecap: round; stroke-linejoin: round; vertical-align: -0.2em; }
.kicker { color: var(--blue); font-size: 12px; font-weight: 600; letter-spacing: .04em; text-transform: uppercase; }
.pale { color: var(--pale); }
.small { font-size: 13px; }
.quiet { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.row { display: flex; gap: 8px; align-items: center; flex-wrap: wrap; }
.alert { display: flex; gap: 8px; align-items: flex-start; }
.alert .icon { margin-top: .2em; }
.stack { display: grid; gap: 6px; }
button, select, input { font: inherit; color: inherit; }
button { background: var(--back); border: 1px solid var(--control); border-radius: 6px; padding: 5px 12px;
  cursor: pointer; }
button:hover { border-color: var(--blue); text-decoration: underline; }
button.primary { background: var(--primary); border-color: var(--primary); color: var(--on-primary); }
button.bare { border-color: transparent; padding: 4px 6px; }
button:disabled { opacity: 1; color: var(--pale); border-color: var(--border); cursor: default; text-decoration: none; }
:focus-visible { outline: 2px solid var(--blue); outline-offset: 2px; border-radius: 4px; }
.badge { display: inline-flex; gap: 4px; align-items: center; padding: 0 7px; border-radius: 4px; font-size: 13px;
  white-space: nowrap; }
.green { color: var(--green); } .red { color: var(--red); } .orange { color: var(--orange); }
.violet { color: var(--violet); } .gray { color: var(--gray); } .blue { color: var(--blue); }
.badge.green, .band.green { background: var(--green-back); } .badge.red, .band.red { background: var(--red-back); }
.badge.orange, .band.orange { background: var(--orange-back); }
.badge.violet, .band.violet { background: var(--violet-back); }
.badge.gray, .band.gray { background: var(--gray-back); } .badge.blue, .band.blue { background: var(--blue-back); }

.check { display: grid; gap: 14px; padding: 14px 16px 16px; }
.check > * { min-width: 0; }
.check header { display: grid; gap: 6px; }
.check header .row { justify-content: space-between; flex-wrap: nowrap; }
.claim { font-size: 17px; }
.claim:focus-visible { outline: none; }
.band { border-radius: 6px; padding: 10px 14px 12px; }
.band .label { display: flex; gap: 8px; align-items: center; font: 600 25px/1.25 var(--serif); margin-bottom: 2px; }
.band .label .icon { width: 26px; height: 26px; }
.box { border: 1px solid var(--border); border-radius: 6px; padding: 10px 12px; display: grid; gap: 6px; }
.box h3, .part h3, .part h2 { font: 600 15px/1.4 var(--sans); }
.part { display: grid; gap: 8px; }
.part ul, .part ol { list-style: none; display: grid; gap: 8px; }
.plain-list { list-style: disc !important; padding-left: 20px; gap: 4px !important; }
.mark { border: 0; background: none; padding: 0 1px; color: var(--blue); text-decoration: underline; }
.part .steps { gap: 4px; }
.steps li { display: flex; gap: 8px; align-items: flex-start; }
.steps .icon { margin-top: 3px; }
.steps .doing .icon { color: var(--blue); animation: turn 2s linear infinite; }
.cite blockquote { border-left: 3px solid var(--border); padding-left: 10px; }
.arrives { animation: arrive .35s ease-out; }
summary { cursor: pointer; font-weight: 600; padding: 2px 0; }
details[open] > summary { margin-bottom: 8px; }
footer.row { border-top: 1px solid var(--border); padding: 10px 16px; margin: 0 -16px -16px;
  position: sticky; bottom: 0; background: var(--back);
  border-radius: 0 0 8px 8px; }
footer.row:empty { display: none; }
.cite { scroll-margin-bottom: 70px; }
@keyframes turn { to { transform: rotate(360deg); } }
@keyframes arrive { from { opacity: 0; transform: translateY(4px); } }
@media (prefers-reduced-motion: reduce) { *, *::before, *::after { animation: none !important;
  transition: none !important; } }
@media (forced-colors: active) { .badge, .band { border: 1px solid; } }
`;

  /** Apply the rules, and `more` ones, to a document, also where its content policy forbids style elements. */
  function apply(document, more = "") {
    const css = CSS + more;
    try {
      const sheet = new document.defaultView.CSSStyleSheet();
      sheet.replaceSync(css);
      document.adoptedStyleSheets = [sheet];
    } catch {
      // Firefox does not let content scripts adopt style sheets.
      document.head.replaceChildren(Object.assign(document.createElement("style"), { textContent: css }));
    }
  }

  ghost.style = { apply };
})();

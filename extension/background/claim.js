// From a selection to a claim.

const { clean, count, safeUrl } = globalThis.ghost.text;

/** Characters of a claim that a server takes, unless its settings say otherwise. */
export const MOST_CHARACTERS = 5000;

/** `{claim}`, or `{problem}` with what to do instead. Only the selected text is used. */
export function claimFrom(text) {
  const claim = clean(text);
  if (!claim) {
    return problem(
      "no_selection",
      "No text is selected",
      "Select the sentence that you want checked. Where the shortcut finds " +
        "no selection, such as in a PDF or in a frame of another site, right-click the selected text and choose " +
        "Check with Ghost.",
    );
  }
  const length = [...claim].length;
  if (length > MOST_CHARACTERS) {
    return problem(
      "too_long",
      "The selection is too long",
      `It has ${count(length, "character")}; at most ${MOST_CHARACTERS.toLocaleString("en")} can be checked at once. ` +
        "Select the sentence that matters.",
    );
  }
  return { claim };
}

/** The address of a page as `found_at`, without the part behind `#`; empty for what is no web page. */
export function foundAt(address) {
  return safeUrl(address).split("#")[0];
}

const problem = (code, title, remedy) => ({ problem: { code, title, detail: "", remedy, status: 0 } });

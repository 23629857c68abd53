// Text from pages and from the server, tidied and cut. It is always shown as text, never as markup.
// The files of shared/ add to one object, because content scripts cannot be modules.
(() => {
  const ghost = (globalThis.ghost ??= {});

  // Control and direction-changing characters; the joiner of emoji (U+200D) stays.
  const HIDDEN = /(?!\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu;
  const LONGEST_ADDRESS = 2000;

  /** One line of visible characters. */
  function clean(text) {
    return String(text ?? "")
      .replaceAll("\ufeff", "")
      .replace(/\s+/gu, " ")
      .replace(HIDDEN, "")
      .trim();
  }

  /** At most `limit` characters, cut at a word, with an ellipsis where something is missing. */
  function shorten(text, limit) {
    const characters = [...clean(text)];
    if (characters.length <= limit) return characters.join("");
    const cut = characters.slice(0, limit - 1).join("");
    const space = cut.lastIndexOf(" ");
    return (space > limit / 2 ? cut.slice(0, space) : cut).replace(/[ ,;:.]+$/u, "") + "…";
  }

  /** The address when it is a plain http or https link; else an empty string. A user name in it could deceive. */
  function safeUrl(value) {
    if (typeof value !== "string" || value.length > LONGEST_ADDRESS) return "";
    try {
      const url = new URL(value);
      return ["http:", "https:"].includes(url.protocol) && !url.username && !url.password ? url.href : "";
    } catch {
      return "";
    }
  }

  /** The host of a web address without `www.`; empty when it is no web address. */
  function hostOf(value) {
    const url = safeUrl(value);
    return url && new URL(url).hostname.replace(/^www\./, "");
  }

  /** `1 passage`, `1,200 passages`. */
  function count(number, word, plural = `${word}s`) {
    return `${number.toLocaleString("en")} ${number === 1 ? word : plural}`;
  }

  /** `82%`; never a rounded-up certainty. */
  function percent(probability) {
    return `${Math.min(Math.round(probability * 100), probability < 1 ? 99 : 100)}%`;
  }

  /** `21 Nov 2025`; empty for what is no date. */
  function day(value) {
    const date = new Date(value || NaN);
    if (Number.isNaN(date.getTime())) return "";
    return date.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
  }

  /** `0.04 s`, `3.2 s`, `75 s`. */
  function seconds(value) {
    if (value < 0.005) return "< 0.01 s";
    return `${value.toFixed(value < 1 ? 2 : value < 10 ? 1 : 0)} s`;
  }

  ghost.text = { clean, shorten, safeUrl, hostOf, count, percent, day, seconds };
})();

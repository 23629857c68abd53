// Server-sent events, read from text as it arrives (WHATWG HTML, 9.2.6).

const MOST_CHARACTERS = 8_000_000;

export class EventStreamParser {
  #rest = "";
  #start = true;
  #event = "";
  #data = [];
  #id = "";

  /** What happens for each event: `{id, event, data}`; `id` is the last one that the stream has named. */
  constructor(onEvent) {
    this.onEvent = onEvent;
  }

  /** Read on. Raises RangeError for a line or an event that never ends. */
  push(text) {
    this.#rest += this.#start ? text.replace(/^\ufeff/, "") : text;
    this.#start &&= !text;
    // A CR at the very end may be the first half of a CRLF: it waits for the next piece.
    const lines = this.#rest.split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop();
    for (const line of lines) this.#line(line);
    const waiting = this.#data.reduce((sum, line) => sum + line.length, this.#rest.length);
    if (waiting > MOST_CHARACTERS) throw new RangeError("The server sent an event that does not end.");
  }

  #line(line) {
    if (line === "") return this.#dispatch();
    if (line.startsWith(":")) return undefined;
    const [, field, value] = /^([^:]*)(?:: ?)?(.*)$/s.exec(line);
    if (field === "event") this.#event = value;
    if (field === "data") this.#data.push(value);
    if (field === "id" && !value.includes("\0")) this.#id = value;
    return undefined;
  }

  #dispatch() {
    const event = { id: this.#id, event: this.#event || "message", data: this.#data.join("\n") };
    const any = this.#data.length > 0;
    this.#event = "";
    this.#data = [];
    if (any) this.onEvent(event);
  }
}

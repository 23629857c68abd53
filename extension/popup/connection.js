// How the connection is, in words: what is the matter, and what to do about it.

/** `{word, icon, colour, lines}` for the answer of the worker; `lines` may have commands in `backquotes`. */
export function describe({ health, access, problem }) {
  if (problem) return { word: problem.title, icon: "warning", colour: "red", lines: [problem.detail, problem.remedy] };
  if (!health.ready) return notReady(health);
  const who = access.key ? `with the key “${access.key}”` : "without a key";
  if (access.role === "read") {
    return {
      word: "Connected, but this key can only read",
      icon: "warning",
      colour: "orange",
      lines: [
        "To check claims, pair the extension again, or enter a key of " +
          "`python -m ghost keys add --role verify extension`.",
      ],
    };
  }
  return {
    word: "Connected",
    icon: "check",
    colour: "green",
    lines: [`Ghost ${access.version}, ${who}. Role: ${access.role}.`],
  };
}

/** Whether a code would help: the extension needs a key of its own, and one that only reads cannot check. */
export function needsPairing({ access, problem }) {
  return access ? !access.key || access.role === "read" : [401, 403].includes(problem?.status);
}

function notReady({ status, problems = [] }) {
  const lines = problems.slice(0, 4).flatMap(({ detail, remedy }) => [detail, remedy]);
  if (status === "opening") {
    return {
      word: "The server is opening its knowledge base",
      icon: "clock",
      colour: "blue",
      lines: lines.length ? lines : ["It will be ready in a moment."],
    };
  }
  return {
    word: "The server cannot check claims right now",
    icon: "warning",
    colour: "red",
    lines: lines.length ? lines : ["See its log for the reason."],
  };
}

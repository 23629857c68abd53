// The brain router: whom the server may ask to judge, and what is said of it afterwards. No model is called from here.

/** The part of a request that chooses the judge. The server can only narrow it further. */
export function route({ aiProvider, cloudFallback }) {
  if (aiProvider === "cloud") return { judge: "cloud" };
  return { judge: "local", cloud_fallback: cloudFallback === true };
}

/** Who judged, why the others did not, and what left the machine: from the result of a run that the server made. */
export function account(result, asked, serverIsHere) {
  const { name = "", model = "", route: tried = [] } = result.judge ?? {};
  const embedded = name === "embedded";
  const word = embedded
    ? `Embedded judge, on ${serverIsHere ? "this" : "the server’s"} machine`
    : `${name} judge: ${model}`;
  const left = tried.slice(0, -1).filter((line) => /^(cloud|local) \(/.test(line));
  const passed = tried.filter((line) => /^(cloud|local): not asked\./.test(line));
  const sent = (result.left_the_machine ?? []).map(String);
  const notes = [...(left.length ? ["The first judge failed, so Ghost used the next.", ...left] : []), ...passed];
  if (name === "cloud" && asked?.judge === "local" && !asked.cloud_fallback) {
    notes.unshift(
      "A cloud judge decided, although this check asked for a local one only. Check the server’s settings.",
    );
  }
  return {
    judge: { word, colour: embedded ? "gray" : "blue" },
    notes,
    left: sent.map((line) => leaving(line, serverIsHere ? "this machine" : "the server’s machine")),
  };
}

/** A line of the server about what left its machine. */
function leaving(line, machine) {
  if (line.startsWith("Nothing: ")) return `Nothing left ${machine}: ${line.slice("Nothing: ".length)}`;
  return machine === "this machine" ? line : `From ${machine}: ${line}`;
}

/** What a user should know before a check: whom the server can ask. Empty when nothing is amiss. */
export function expectation({ aiProvider, cloudFallback }, { judges = [], cloud_fallback: allowed = false }) {
  if (aiProvider === "cloud") {
    return judges.includes("cloud") ? "" : "This server has no cloud model, so its next judge decides.";
  }
  if (cloudFallback && !allowed) {
    return "This server does not allow falling back to the cloud (GHOST_ALLOW_CLOUD_FALLBACK).";
  }
  return judges.includes("local") ? "" : "This server has no local language model, so its embedded judge decides.";
}

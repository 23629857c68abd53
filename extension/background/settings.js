// The settings of the extension, and what they mean for its permissions. Only the extension's own pages can read them.

export const DEFAULTS = Object.freeze({
  address: "http://127.0.0.1:5000",
  key: "",
  aiProvider: "local",
  cloudFallback: false,
  sendAddress: false,
});

/** All settings; a value that cannot be used is replaced by its default. */
export async function load() {
  const kept = await chrome.storage.local.get(DEFAULTS);
  return {
    address: serverAddress(kept.address) || DEFAULTS.address,
    key: typeof kept.key === "string" ? kept.key : "",
    aiProvider: kept.aiProvider === "cloud" ? "cloud" : "local",
    cloudFallback: kept.cloudFallback === true,
    sendAddress: kept.sendAddress === true,
  };
}

export async function save(changes) {
  await chrome.storage.local.set(changes);
}

/** The origin of a server, `http://127.0.0.1:5000`; empty when the text is no web address. */
export function serverAddress(text) {
  const typed = String(text ?? "").trim();
  const url = globalThis.ghost.text.safeUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `http://${typed}`);
  return url && new URL(url).origin;
}

/** Whether a server is on this computer. */
export function isThisComputer(address) {
  const { hostname } = new URL(address);
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** The permission that covers an origin. Firefox knows none for a port, so there it covers all ports of the host. */
export function permissionFor(address) {
  const { origin, protocol, hostname } = new URL(address);
  const firefox = typeof globalThis.browser?.runtime?.getBrowserInfo === "function";
  return { origins: [`${firefox ? `${protocol}//${hostname}` : origin}/*`] };
}

// The line from a view to the service worker. The browser ends an idle worker, and with it the line: a check that goes
// on is connected again at once, which wakes the worker; one that has ended is left in peace until something is asked.
(() => {
  const ghost = (globalThis.ghost ??= {});
  const MOST_TRIES = 6;

  /** Show the check `name` (an id, or `latest`): `onCheck` gets each snapshot, `onNone` why there is none. */
  function open(name, onCheck, onNone) {
    let port = null;
    let closed = false;
    let tries = 0;
    let goesOn = true;

    function connect() {
      if (closed || port) return;
      try {
        port = chrome.runtime.connect({ name: `check:${name}` });
      } catch {
        onNone("The extension was updated or removed. Reload this page to use it.");
        return;
      }
      port.onMessage.addListener((message) => {
        tries = 0;
        if (message.type === "check") {
          goesOn = ["asking", "running"].includes(message.check.stage);
          onCheck(message.check);
        } else {
          goesOn = false;
          onNone("This check is no longer available. See the recent checks in the side panel.");
        }
      });
      port.onDisconnect.addListener(() => {
        port = null;
        if (goesOn && tries < MOST_TRIES) again();
        else if (goesOn) onNone("The extension is not responding. Reload this page to see the check.");
      });
    }

    function again() {
      tries += 1;
      if (tries === 1) connect();
      else setTimeout(connect, 250 * 2 ** tries);
    }

    connect();
    return {
      act(type) {
        connect();
        port?.postMessage({ type });
      },
      reconnect: connect,
      close() {
        closed = true;
        port?.disconnect();
      },
    };
  }

  ghost.link = { open };
})();

// Listening to a run: line by line, each shown when it begins to be heard.

/** @typedef {import("./scene.js").LogEvent} LogEvent */

/** How long something that has no sound is looked at. */
const SILENT_MS = 900;

/** The next line that somebody sees, from this place on. @param {readonly LogEvent[]} events @param {number} shown how many events are shown */
function nextLine(events, shown) {
  const at = events.findIndex((event, index) => index >= shown && event.kind === "line_added");
  if (at < 0) return null;
  const { seq, body } = events[at];
  const said = body.by === "actor" ? body.reply?.content : body.by === "world" ? body.text : "";
  return { at, seq, hasSound: Boolean(said?.trim()) };
}

/**
 * Plays lines from what is shown to the end, until it is told to stop.
 * @param {{ events: LogEvent[], shown: number, seek: (shown: number) => void }} store
 * @param {(seq: number) => Promise<() => Promise<void>>} load gives what plays a line to its end
 * @param {AbortSignal} stop
 */
export async function listen(store, load, stop) {
  for (let line = nextLine(store.events, store.shown); line && !stop.aborted; line = nextLine(store.events, line.at + 1)) {
    const { at, seq, hasSound } = line;
    const play = hasSound ? await load(seq).catch(() => null) : null;
    if (stop.aborted) return;
    // Text is never ahead of speech.
    store.seek(at + 1);
    if (play) await play();
    else await new Promise((resolve) => setTimeout(resolve, SILENT_MS));
  }
}

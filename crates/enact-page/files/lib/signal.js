// Signals: values that tell those who read them when they change.
//
// `signal` holds a value; `effect` does something with values, and does it again when one of them has changed. By default
// that is before the next task and once, however many values changed.

/** @typedef {{ run: () => void, sources: Set<Set<Observer>> }} Observer */
/** @template T @typedef {{ value: T, peek: () => T }} Signal */

/** The effect that runs now, and so subscribes to all that it reads. @type {Observer | null} */
let reading = null;
/** Effects that have to run again. @type {Set<() => void>} */
const queued = new Set();

/** @template T @param {T} value @returns {Signal<T>} */
export function signal(value) {
  /** @type {Set<Observer>} */
  const observers = new Set();
  return {
    get value() {
      if (reading) {
        observers.add(reading);
        reading.sources.add(observers);
      }
      return value;
    },
    set value(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const observer of [...observers]) observer.run();
    },
    peek: () => value,
  };
}

/**
 * Does something now, and again whenever a signal that it read has changed.
 * @param {() => void} work
 * @param {(run: () => void) => void} [schedule] decides when it is done again
 * @returns {() => void} ends it
 */
export function effect(work, schedule = (run) => queued.add(run).size === 1 && queueMicrotask(flush)) {
  let ended = false;
  const again = () => {
    for (const observers of own.sources) observers.delete(own);
    own.sources.clear();
    if (ended) return;
    const outer = reading;
    reading = own;
    try {
      work();
    } finally {
      reading = outer;
    }
  };
  /** @type {Observer} */
  const own = { sources: new Set(), run: () => schedule(again) };
  again();
  return () => {
    ended = true;
    again();
  };
}

/** Runs the effects that wait. */
export function flush() {
  const now = [...queued];
  queued.clear();
  for (const run of now) run();
}

import { Duplex, type Readable } from "node:stream";
import { Throttle } from "./throttle.js";

/** How long a side may take for the last bytes before they are dropped. */
const lingerMs = 10_000;

/**
 * Copies bytes in both directions until either side ends, fails or `signal` aborts; then closes both, after sending what had arrived.
 * Buffers no more than the streams' own high-water marks. Limits each direction to the given bytes per second; 0 means no limit.
 * Resolves when both are closed.
 */
export async function joinConnections(
  left: Duplex,
  right: Duplex,
  signal: AbortSignal,
  bytesPerSecondMax = 0,
): Promise<void> {
  const cut = (): void => {
    left.destroy();
    right.destroy();
  };
  signal.addEventListener("abort", cut, { once: true });
  const closed = Promise.all([
    passOn(left, right, bytesPerSecondMax),
    passOn(right, left, bytesPerSecondMax),
  ]);
  if (signal.aborted) cut();
  await closed;
  signal.removeEventListener("abort", cut);
}

function passOn(from: Duplex, to: Duplex, bytesPerSecondMax: number): Promise<void> {
  const finish = (): void => {
    if (to.destroyed) return void from.destroy();
    const timer = setTimeout(() => to.destroy(), lingerMs);
    to.once("close", () => clearTimeout(timer));
    to.end(() => {
      to.destroy();
      from.destroy();
    });
  };
  return new Promise((resolve) => {
    // A `close` event follows, which is handled.
    from.on("error", () => {});
    if (from.destroyed) {
      finish();
      return resolve();
    }
    const source = bytesPerSecondMax > 0 ? throttled(from, to, bytesPerSecondMax) : from;
    source.once("end", finish);
    source.once("close", () => {
      finish();
      resolve();
    });
    source.pipe(to, { end: false });
  });
}

/** The connection, limited to this many bytes per second in each direction; 0 means no limit. */
export function throttledBothWays(connection: Duplex, bytesPerSecondMax: number): Duplex {
  if (bytesPerSecondMax <= 0) return connection;
  const writable = new Throttle(bytesPerSecondMax);
  writable.pipe(connection);
  const readable = throttled(connection, writable, bytesPerSecondMax);
  const both = Duplex.from({ readable, writable });
  both.once("close", () => connection.destroy());
  return both;
}

/** Ends after the last bytes have passed, which may be after `from` is closed; at once when `to` is closed. */
function throttled(from: Duplex, to: Duplex, bytesPerSecond: number): Readable {
  const throttle = new Throttle(bytesPerSecond);
  from.once("close", () => throttle.end());
  to.once("close", () => throttle.destroy());
  return from.pipe(throttle);
}

import type { Duplex } from "node:stream";

/** A side that does not take the last bytes within this time does without them. */
const lingerMs = 10_000;

/**
 * Passes bytes on in both directions until either side ends, fails or `signal` aborts; then closes both, after what had come was
 * sent. Buffers no more than the streams' own high-water marks. Resolves when both are closed.
 */
export async function joinConnections(left: Duplex, right: Duplex, signal: AbortSignal): Promise<void> {
  const cut = (): void => {
    left.destroy();
    right.destroy();
  };
  signal.addEventListener("abort", cut, { once: true });
  const closed = Promise.all([passOn(left, right), passOn(right, left)]);
  if (signal.aborted) cut();
  await closed;
  signal.removeEventListener("abort", cut);
}

function passOn(from: Duplex, to: Duplex): Promise<void> {
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
    // `close` follows, which is what matters.
    from.on("error", () => {});
    from.once("end", finish);
    from.once("close", () => {
      finish();
      resolve();
    });
    if (from.destroyed) {
      finish();
      return resolve();
    }
    from.pipe(to, { end: false });
  });
}

import type { Writable } from "node:stream";

/** Resolves when `target` takes more bytes, or when it or the stream that is piped into it is closed. */
export function untilDrained(target: Writable, front: Writable = target): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      target.off("drain", done);
      front.off("close", done);
      resolve();
    };
    target.once("drain", done);
    front.once("close", done);
  });
}

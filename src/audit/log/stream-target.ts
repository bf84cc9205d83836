import type { Writable } from "node:stream";
import type { LineTarget } from "./log-destination.js";

/** Writes lines to standard output, which stays open. */
export function streamTarget(stream: Writable): LineTarget {
  return {
    write: ({ pieces }) =>
      new Promise((resolve, reject) => {
        stream.write(Buffer.concat(pieces), (error) => (error ? reject(error) : resolve()));
      }),
    async close() {},
  };
}

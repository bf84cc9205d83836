import type { Writable } from "node:stream";
import { concatPieces } from "../text-pieces.js";
import type { Line, LineTarget } from "./log-destination.js";

/** Writes lines to standard output, which stays open. */
export function streamTarget(stream: Writable): LineTarget {
  return {
    write: (lines) =>
      new Promise((resolve, reject) => {
        const bytes = concatPieces(lines.flatMap(({ pieces }: Line) => pieces));
        stream.write(bytes, (error) => (error ? reject(error) : resolve()));
      }),
    async close() {},
  };
}

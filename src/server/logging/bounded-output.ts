import { fstatSync, writeSync } from "node:fs";
import type { Writable } from "node:stream";

/** How much may wait for a slow reader; further lines are dropped. */
const waitingBytesMax = 1024 * 1024;

/** The part of a stream that is used. */
export type LineStream = Pick<Writable, "write" | "on" | "writableLength">;

export type WriteLine = (line: string) => void;

/**
 * Standard error. Its reader may stop or exit, and its disk may be full; that must not block the server, end it, or exhaust its memory.
 * Lines are dropped instead, and when there is room again, a line says how many are missing.
 */
export function standardError(): WriteLine {
  const { stderr } = process;
  if (isQueued(stderr.fd)) return boundedStream(stderr);
  return boundedFile((line) => writeSync(stderr.fd, line));
}

/** Pipes and sockets, to which Node.js writes asynchronously. */
function isQueued(fd: number): boolean {
  try {
    const stats = fstatSync(fd);
    return stats.isFIFO() || stats.isSocket();
  } catch {
    return false;
  }
}

export function boundedStream(stream: LineStream): WriteLine {
  let missing = 0;
  // After an error, a stream keeps everything that is written to it.
  let isOver = false;
  stream.on("error", () => {
    isOver = true;
  });
  return (line) => {
    if (isOver || stream.writableLength + line.length > waitingBytesMax) {
      missing++;
      return;
    }
    if (missing > 0) stream.write(missingLine(missing));
    missing = 0;
    stream.write(line);
  };
}

/** `write` returns when the line is written and throws when it cannot be. */
export function boundedFile(write: (line: string) => unknown): WriteLine {
  let missing = 0;
  return (line) => {
    try {
      if (missing > 0) write(missingLine(missing));
      missing = 0;
      write(line);
    } catch {
      missing++;
    }
  };
}

function missingLine(count: number): string {
  return `W ${new Date().toISOString()} lines of the log are missing because nobody read standard error, or its disk was full count=${count}\n`;
}

import { Buffer } from "node:buffer";
import type { Steps } from "../../apimachinery/steps.js";

/** Larger than nearly every object. */
const scratchBytes = 64 * 1024;
const scratch = Buffer.allocUnsafeSlow(scratchBytes);

/**
 * UTF-8 of `json` without its first character, in memory of its own. (Node's pool gives pieces of 8 KiB: of objects of nearly 3 KB,
 * which are kept for long, it would waste a third.)
 */
export function bodyBytes(json: string): Buffer {
  // A character takes up to three bytes.
  if (json.length > scratchBytes / 3) return Buffer.from(json).subarray(1);
  const end = scratch.write(json, "utf8");
  const body = Buffer.allocUnsafeSlow(end - 1);
  scratch.copy(body, 0, 1, end);
  return body;
}

/** Longer runs of parts are encoded on their own: a long text that grows part by part is slow to read. */
const runLength = 64 * 1024;

/** Prints text and hands it on in parts. */
type PrintInSteps = (write: (text: string) => void) => Steps<void>;

/** The same of text that comes in parts, which may be large. */
export function* bodyBytesInSteps(print: PrintInSteps): Steps<Buffer> {
  return (yield* textBytesInSteps(print)).subarray(1);
}

/** UTF-8 of text that comes in parts. */
export function* textBytesInSteps(print: PrintInSteps): Steps<Buffer> {
  const runs: Buffer[] = [];
  let run = "";
  yield* print((text) => {
    run += text;
    if (run.length < runLength) return;
    runs.push(Buffer.from(run));
    run = "";
  });
  runs.push(Buffer.from(run));
  const length = runs.reduce((sum, { length }) => sum + length, 0);
  const whole = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const bytes of runs) at += bytes.copy(whole, at);
  return whole;
}

import type { ResponseStream } from "../../http/exchange.js";

/** A client that reads nothing: there is room for `writes` writes and then none. Returns how many there were. */
export function fullAfter(writes: number): { readonly stream: ResponseStream; written(): number } {
  let written = 0;
  const stream: ResponseStream = {
    closed: false,
    chunked: false,
    flushHeaders() {},
    write: () => ++written <= writes,
    writeFrames: () => ++written <= writes,
    drained: () => new Promise(() => undefined),
    end() {},
    abort() {},
  };
  return { stream, written: () => written };
}

import type { ResponseStream } from "../../serving/http/exchange.js";
import { ForwardingExchange } from "../../serving/http/forwarding-exchange.js";

/** The request is carried out, but instead of an answer the client sees its connection end. */
export class CutExchange extends ForwardingExchange {
  override respond(): void {
    this.inner.abort();
  }

  override startStream(): ResponseStream {
    this.inner.abort();
    return goneStream;
  }
}

const goneStream: ResponseStream = {
  closed: true,
  chunked: false,
  flushHeaders() {},
  write: () => true,
  writeFrames: () => true,
  drained: () => Promise.resolve(),
  end() {},
  abort() {},
};

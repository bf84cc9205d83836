import { asError } from "../../apimachinery/errors/as-error.js";
import { expired, internal, StatusError } from "../../apimachinery/errors/status.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { Codec } from "../../apimachinery/schema/codec.js";
import type { WatchResult } from "../../endpoints/resource/api-result.js";
import { statusOfStorageError } from "../../registry/generic/storage-status.js";
import type { VersionedView } from "../../registry/generic/versioned-view.js";
import type { StoredObject, WatchEvent, WatchHandle, WatchSink } from "../../storage/object-store.js";
import type { RequestContext } from "../request/request-context.js";
import { BatchEncoder } from "./batch-encoder.js";
import type { LargeForms } from "./large-forms.js";
import type { Negotiated, Representation } from "./negotiator.js";
import { partialKind } from "./partial-metadata.js";
import type { StatusResponder } from "./status-response.js";
import { includeObjectOf, TablePrinter } from "./table.js";
import {
  cborWatchEncoder,
  jsonWatchEncoder,
  partialCborWatchEncoder,
  partialJsonWatchEncoder,
  partialProtobufWatchEncoder,
  protobufWatchEncoder,
  tableCborWatchEncoder,
  tableWatchEncoder,
  type WatchEncoder,
  type WatchEncoderParts,
} from "./watch-encoder.js";
import { endWatches } from "./watch-endings.js";
import type { WatchFigures, WatchMetrics } from "./watch-metrics.js";
import type { WatchOutbox } from "./watch-outbox.js";
import { openWatchStream, type WatchStream } from "./watch-stream.js";
import type { WebSocketWatches } from "./web-socket-watch.js";

export interface WatchResponderParts {
  readonly status: StatusResponder;
  /** Of `meta/v1.PartialObjectMetadata`. */
  readonly partialMetadata: Codec;
  readonly outbox: WatchOutbox;
  /** Undefined where large objects are converted on this thread too. */
  readonly large?: LargeForms | undefined;
  readonly metrics: WatchMetrics;
  readonly webSockets: WebSocketWatches;
  /** Annotations of the bookmark after the initial state. */
  readonly initialEventsEnd: Readonly<Record<string, string>>;
  readonly now: () => Date;
  /** Aborts when the server drains: every watch ends so that its client moves to another server. */
  readonly draining: AbortSignal;
  /** Time over which the watches of a draining server end; 0: at once. */
  readonly terminationGraceMs: number;
}

/** Answers watches with a stream of events. */
export class WatchResponder {
  readonly #parts: WatchResponderParts;
  readonly #views = new WeakMap<VersionedView<ApiObject>, WatchedView>();
  /** Each function ends a watch. */
  readonly #open = new Set<() => void>();

  constructor(parts: WatchResponderParts) {
    this.#parts = parts;
    parts.draining.addEventListener("abort", () => endWatches(this.#open, parts.terminationGraceMs), {
      once: true,
    });
  }

  /**
   * Resolves when the stream is open, so that a thousand watchers do not hold a promise until they end. A watch that cannot start rejects
   * with its `Status`, and one that fails later ends with an ERROR event.
   */
  async watch(context: RequestContext, negotiated: Negotiated, result: WatchResult): Promise<void> {
    const { encoder, prepare } = this.#encodingOf(context, result.view, negotiated);
    const relay = new Relay(encoder, prepare);
    const { alterWatch } = context;
    const start = alterWatch?.((sink) => result.start(sink)) ?? ((sink) => result.start(sink));
    const handle = await start(relay);
    if (context.exchange.signal.aborted) return handle.stop();
    await this.#stream(context, result, negotiated, relay, handle);
  }

  async #stream(
    context: RequestContext,
    result: WatchResult,
    negotiated: Negotiated,
    relay: Relay,
    handle: WatchHandle,
  ): Promise<void> {
    const { outbox, webSockets, draining } = this.#parts;
    let stream: WatchStream | undefined;
    let over = draining.aborted;
    const end = (): void => {
      over = true;
      handle.stop();
      stream?.end();
    };
    const { watchers, delays } = this.#watched(result.view).sent;
    watchers.value++;
    const timer = setTimeout(end, Math.min(result.timeoutMs, longestTimerMs));
    this.#open.add(end);
    let isCounted = true;
    const ended = (): void => {
      if (isCounted) watchers.value--;
      isCounted = false;
      handle.stop();
      clearTimeout(timer);
      this.#open.delete(end);
    };
    const options = { outbox, contentType: negotiated.contentType, delays, onEnd: ended };
    const representation = negotiated.representation === "yaml" ? "json" : negotiated.representation;
    try {
      stream = context.exchange.isUpgrade
        ? await webSockets.open(context.exchange, { ...options, representation })
        : openWatchStream(context.exchange, options);
    } catch (error) {
      ended();
      throw error;
    }
    context.watchInitialized();
    relay.open(stream);
    // It may have been aborted while the WebSocket was opened.
    if (over) end();
  }

  #encodingOf(context: RequestContext, view: VersionedView<ApiObject>, negotiated: Negotiated): Encoding {
    const { representation, transform } = negotiated;
    const { status, partialMetadata, initialEventsEnd, now, large } = this.#parts;
    const parts: WatchEncoderParts = { view, status, partialMetadata, initialEventsEnd };
    if (transform === undefined) {
      const { make, form } = plainEncodings[representation];
      const encoder = this.#remembered(view, representation, () => make(parts));
      return { encoder, prepare: large && ((stored) => large.form(context, view, stored, form)) };
    }
    const apiVersion = `${transform.group}/${transform.version}`;
    if (transform.kind === partialKind) {
      const encoder = this.#remembered(view, `${representation} ${partialKind} ${apiVersion}`, () =>
        partialEncoders[representation].make(parts, apiVersion),
      );
      const { form } = partialEncoders[representation];
      const prepare: Prepare | undefined =
        large && form && ((stored) => large.metadata(context, view, stored, form));
      return { encoder, prepare };
    }
    const include = includeObjectOf(context.query);
    const { printers } = this.#watched(view);
    const key = `Table ${apiVersion} ${include}`;
    const printer = printers.get(key) ?? new TablePrinter(view, include, apiVersion);
    printers.set(key, printer);
    const isCbor = representation === "cbor";
    const makeTables = isCbor ? tableCborWatchEncoder : tableWatchEncoder;
    const encoder = this.#remembered(view, `${representation} ${key}`, () => makeTables(parts, printer, now));
    return {
      encoder,
      prepare: large && ((stored) => large.row(context, printer, stored, { now: now(), isCbor })),
    };
  }

  #remembered(view: VersionedView<ApiObject>, key: string, make: () => WatchEncoder): BatchEncoder {
    const { encoders, sent } = this.#watched(view);
    let encoder = encoders.get(key);
    if (encoder === undefined) {
      encoder = new BatchEncoder(make(), sent);
      encoders.set(key, encoder);
    }
    return encoder;
  }

  #watched(view: VersionedView<ApiObject>): WatchedView {
    let watched = this.#views.get(view);
    if (watched === undefined) {
      watched = { encoders: new Map(), printers: new Map(), sent: this.#parts.metrics.of(view) };
      this.#views.set(view, watched);
    }
    return watched;
  }
}

const json = { make: jsonWatchEncoder, form: "body" } as const;

/** How events are written, and the form of their objects. Events have no YAML form. */
const plainEncodings = {
  json,
  yaml: json,
  protobuf: { make: protobufWatchEncoder, form: "proto" },
  cbor: { make: cborWatchEncoder, form: "cbor" },
} as const satisfies Record<Representation, unknown>;

const partialJson = { make: partialJsonWatchEncoder, form: undefined } as const;

/** The same for metadata only, whose JSON exists. */
const partialEncoders = {
  json: partialJson,
  yaml: partialJson,
  protobuf: { make: partialProtobufWatchEncoder, form: "protoMetadata" },
  cbor: { make: partialCborWatchEncoder, form: "cborMetadata" },
} as const satisfies Record<Representation, unknown>;

/** Makes what the encoder needs of a large object; undefined when there is nothing to wait for. */
type Prepare = (stored: StoredObject<ApiObject>) => Promise<void> | undefined;

interface Encoding {
  readonly encoder: BatchEncoder;
  readonly prepare: Prepare | undefined;
}

/** A watched version of a resource. */
interface WatchedView {
  /** By representation: encodes each event once for all watchers. */
  readonly encoders: Map<string, BatchEncoder>;
  /** For representations that are tables. */
  readonly printers: Map<string, TablePrinter>;
  readonly sent: WatchFigures;
}

/** The longest delay that timers take. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Receives events from the store: queues those that arrive before the stream is open, then encodes and forwards them. The watch pauses
 * while a large object is being prepared.
 */
class Relay implements WatchSink<ApiObject> {
  readonly #encoder: BatchEncoder;
  readonly #prepare: Prepare | undefined;
  /** Waiting steps, the first of them for a large object. */
  #steps: Promise<void> | undefined;
  #stream: WatchStream | undefined;
  #early: Buffer[] = [];
  #isFirst = true;
  #ended = false;
  #failure: StatusError | undefined;

  constructor(encoder: BatchEncoder, prepare: Prepare | undefined) {
    this.#encoder = encoder;
    this.#prepare = prepare;
  }

  events(batch: readonly WatchEvent<ApiObject>[]): void {
    if (this.#ended) return;
    if (this.#steps !== undefined) {
      this.#then(() => this.#prepared(batch));
      return;
    }
    const preparing = this.#prepared(batch);
    if (preparing !== undefined) this.#then(() => preparing);
  }

  end(error: Error | undefined): void {
    if (this.#steps === undefined) this.#end(error);
    else this.#then(async () => this.#end(error));
  }

  /** Forwards the batch, at once unless one of its objects must be prepared. */
  #prepared(batch: readonly WatchEvent<ApiObject>[]): Promise<void> | undefined {
    for (const [index, event] of batch.entries()) {
      const preparing = event.type === "BOOKMARK" ? undefined : this.#prepare?.(event.object);
      if (preparing !== undefined) return this.#preparedFrom(batch, index + 1, preparing);
    }
    this.#forward(batch);
    return undefined;
  }

  async #preparedFrom(
    batch: readonly WatchEvent<ApiObject>[],
    from: number,
    preparing: Promise<void>,
  ): Promise<void> {
    await preparing;
    for (const event of batch.slice(from)) {
      if (event.type !== "BOOKMARK") await this.#prepare?.(event.object);
    }
    this.#forward(batch);
  }

  #then(step: () => Promise<void> | undefined): void {
    const steps = (this.#steps ?? Promise.resolve())
      .then(step)
      .catch((error: unknown) => this.#end(asError(error)));
    this.#steps = steps;
    void steps.then(() => {
      if (this.#steps === steps) this.#steps = undefined;
    });
  }

  #forward(batch: readonly WatchEvent<ApiObject>[]): void {
    if (this.#ended) return;
    const frames = this.#encoder.encode(batch, this.#isFirst);
    this.#isFirst = false;
    if (this.#stream === undefined) this.#early.push(...frames);
    else this.#stream.send(frames, happenedAt(batch));
  }

  #end(error: Error | undefined): void {
    if (this.#ended) return;
    this.#ended = true;
    if (error !== undefined) this.#failure = toStatus(error);
    if (this.#stream !== undefined) this.#close(this.#stream);
  }

  /** Pauses a large initial state until the client has read what was sent. */
  ready(): Promise<void> | undefined {
    if (this.#steps !== undefined) return this.#steps;
    if (this.#stream === undefined) return this.#early.length === 0 ? undefined : this.#opened();
    if (this.#stream.closed || this.#stream.bufferedBytes <= comfortableBytes) return undefined;
    return this.#stream.drained();
  }

  open(stream: WatchStream): void {
    this.#stream = stream;
    stream.send(this.#early);
    this.#early = [];
    this.#onOpen?.();
    if (this.#ended) this.#close(stream);
  }

  #onOpen: (() => void) | undefined;

  #opened(): Promise<void> {
    return new Promise((resolve) => {
      this.#onOpen = resolve;
    });
  }

  #close(stream: WatchStream): void {
    if (this.#failure !== undefined) stream.send([this.#encoder.encoder.error(this.#failure.status)]);
    stream.end();
  }
}

function happenedAt([first]: readonly WatchEvent<ApiObject>[]): number | undefined {
  return first === undefined || first.type === "BOOKMARK" ? undefined : first.receivedAt;
}

const comfortableBytes = 512 * 1024;

function toStatus(error: Error): StatusError {
  if (error instanceof StatusError) return error;
  const status = statusOfStorageError(error, { group: "", resource: "" }, "");
  if (status instanceof StatusError) {
    return status.status.reason === "ServiceUnavailable"
      ? expired("too old resource version: the watcher fell behind")
      : status;
  }
  return internal("the watch failed", error);
}

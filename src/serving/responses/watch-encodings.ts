import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { Codec } from "../../apimachinery/schema/codec.js";
import type { VersionedView } from "../../registry/generic/versioned-view.js";
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
import type { WatchFigures, WatchMetrics } from "./watch-metrics.js";
import type { Prepare } from "./watch-relay.js";

export interface WatchEncodingsParts {
  readonly status: StatusResponder;
  /** Of `meta/v1.PartialObjectMetadata`. */
  readonly partialMetadata: Codec;
  /** Undefined where large objects are converted on this thread too. */
  readonly large?: LargeForms | undefined;
  readonly metrics: WatchMetrics;
  /** Annotations of the bookmark after the initial state. */
  readonly initialEventsEnd: Readonly<Record<string, string>>;
  readonly now: () => Date;
}

export interface WatchEncoding {
  readonly encoder: BatchEncoder;
  readonly prepare: Prepare | undefined;
}

/** Chooses how the events of a watch are written, and keeps one encoder for each representation of a view. */
export class WatchEncodings {
  readonly #parts: WatchEncodingsParts;
  readonly #views = new WeakMap<VersionedView<ApiObject>, WatchedView>();

  constructor(parts: WatchEncodingsParts) {
    this.#parts = parts;
  }

  /** What was negotiated. Watches of the same representation share an encoder. */
  of(context: RequestContext, view: VersionedView<ApiObject>, negotiated: Negotiated): WatchEncoding {
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

  /** What is counted of the view's watches. */
  figuresOf(view: VersionedView<ApiObject>): WatchFigures {
    return this.#watched(view).sent;
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

/** A watched version of a resource. */
interface WatchedView {
  /** By representation: encodes each event once for all watchers. */
  readonly encoders: Map<string, BatchEncoder>;
  /** For representations that are tables. */
  readonly printers: Map<string, TablePrinter>;
  readonly sent: WatchFigures;
}

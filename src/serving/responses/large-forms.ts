import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { Codec } from "../../apimachinery/schema/codec.js";
import type { ApiCatalog } from "../../endpoints/catalog/api-catalog.js";
import { createResourceCodec } from "../../registry/generic/resource-codec.js";
import type { VersionedView } from "../../registry/generic/versioned-view.js";
import type { Revision } from "../../storage/kv.js";
import type { StoredObject } from "../../storage/object-store.js";
import type { RequestContext } from "../request/request-context.js";
import { type CborForm, cborForms } from "./cbor-forms.js";
import { keepForm, knownForm } from "./form-cache.js";
import { metadataJson, type PartialProto, partialProto } from "./partial-metadata.js";
import { TablePrinter } from "./table.js";

/** One form of one stored object, as it is requested of another thread. */
export interface ObjectForm {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly key: string;
  readonly revision: Revision;
  /** The body of the `StoredObject`. */
  readonly body: Uint8Array;
  /** JSON, protobuf or CBOR of the object or of its metadata, in the requested version; or its cells in a table at a time. */
  readonly form: "body" | "proto" | CborForm | PartialProto | { readonly cellsAtMs: number };
}

export interface LargeFormsParts {
  /** Makes a form on another thread, for the answer to a request. */
  readonly make: (form: ObjectForm, context: RequestContext) => Promise<Buffer>;
  /** Larger objects are made there. */
  readonly bytesMin: number;
}

interface Making {
  readonly done: Promise<void>;
  /** The signal of the request for which it is being made. */
  readonly signal: AbortSignal;
}

/**
 * Lets another thread make the forms of large objects that lists and watches need, before they need them. Each method returns undefined
 * when there is nothing to wait for, because the object is small or the form exists.
 */
export class LargeForms {
  readonly #parts: LargeFormsParts;
  readonly #making = new WeakMap<StoredObject<ApiObject>, Map<string, Making>>();

  constructor(parts: LargeFormsParts) {
    this.#parts = parts;
  }

  /** What `view.body`, `view.proto` or `cborForm` returns. */
  form(
    context: RequestContext,
    view: VersionedView<ApiObject>,
    stored: StoredObject<ApiObject>,
    form: "body" | "proto" | CborForm,
  ): Promise<void> | undefined {
    if (!this.#isLarge(view, stored)) return undefined;
    if (form !== "body" && form !== "proto") return this.#other(context, view, stored, form);
    if (view.isMade(form, stored)) return undefined;
    return this.#made(context, view, stored, form, (bytes) => view.keep(form, stored, bytes));
  }

  /** The metadata in another representation than JSON. */
  metadata(
    context: RequestContext,
    view: VersionedView<ApiObject>,
    stored: StoredObject<ApiObject>,
    form: "cborMetadata" | PartialProto,
  ): Promise<void> | undefined {
    if (!this.#isLarge(view, stored)) return undefined;
    if (metadataJson(view, stored).length <= this.#parts.bytesMin) return undefined;
    return this.#other(context, view, stored, form);
  }

  #other(
    context: RequestContext,
    view: VersionedView<ApiObject>,
    stored: StoredObject<ApiObject>,
    form: CborForm | PartialProto,
  ): Promise<void> | undefined {
    if (knownForm(view, stored, form) !== undefined) return undefined;
    return this.#made(context, view, stored, form, (bytes) => keepForm(view, stored, form, bytes));
  }

  /** What the row of a table needs. */
  row(
    context: RequestContext,
    printer: TablePrinter,
    stored: StoredObject<ApiObject>,
    { now, isCbor }: { readonly now: Date; readonly isCbor: boolean },
  ): Promise<void> | undefined {
    const { view, include } = printer;
    if (!this.#isLarge(view, stored)) return undefined;
    const body =
      include === "Object"
        ? this.form(context, view, stored, isCbor ? "cbor" : "body")
        : include === "Metadata" && isCbor
          ? this.metadata(context, view, stored, "cborMetadata")
          : undefined;
    if (printer.hasCells(stored, now)) return body;
    const cells = this.#made(context, view, stored, { cellsAtMs: now.getTime() }, (bytes) =>
      printer.keepCells(stored, now, bytes.toString("utf8")),
    );
    return body === undefined ? cells : body.then(() => cells);
  }

  /** Objects that a webhook converts are read as the webhook returns them. */
  #isLarge(view: VersionedView<ApiObject>, stored: StoredObject<ApiObject>): boolean {
    return (
      stored.body.length > this.#parts.bytesMin &&
      view.reads === undefined &&
      view.definition.storage !== undefined
    );
  }

  async #made(
    context: RequestContext,
    view: VersionedView<ApiObject>,
    stored: StoredObject<ApiObject>,
    form: ObjectForm["form"],
    keep: (bytes: Buffer) => void,
  ): Promise<void> {
    const making = this.#makingOf(stored);
    const name = `${view.version.version} ${typeof form === "string" ? form : "cells"}`;
    for (
      let other = making.get(name);
      other !== undefined && typeof form === "string";
      other = making.get(name)
    ) {
      try {
        return await other.done;
      } catch (error) {
        // The other client has left, and this one has not.
        if (!other.signal.aborted || context.signal.aborted) throw error;
      }
    }
    const { group, resource } = view.definition;
    const { key, revision, body } = stored;
    const { version } = view.version;
    const done = this.#parts
      .make({ group, version, resource, key, revision, body, form }, context)
      .then(keep)
      .finally(() => making.delete(name));
    making.set(name, { done, signal: context.signal });
    await done;
  }

  #makingOf(stored: StoredObject<ApiObject>): Map<string, Making> {
    let making = this.#making.get(stored);
    if (making === undefined) {
      making = new Map();
      this.#making.set(stored, making);
    }
    return making;
  }
}

/** Makes a form on the thread that was asked for it. Throws when its kind is not served here. */
export function makeForm(
  { catalog, partialMetadata }: { readonly catalog: ApiCatalog; readonly partialMetadata: Codec },
  { group, version, resource, form, ...object }: ObjectForm,
): Buffer {
  const view = catalog.find(group, version, resource)?.endpoint?.view;
  if (view === undefined) throw new Error(`${group}/${version} ${resource} is not served any more`);
  const body = Buffer.from(object.body.buffer, object.body.byteOffset, object.body.byteLength);
  const codec = createResourceCodec(view.definition, "json");
  const stored = { ...object, body, labels: {}, fields: {}, decode: () => codec.fromBody(body) };
  if (form === "body") return view.body(stored);
  if (form === "proto") return asBuffer(view.proto(stored));
  if (form === "protoMetadata") return asBuffer(partialProto(partialMetadata, view, stored));
  if (typeof form === "string") return cborForms[form](view, stored);
  return Buffer.from(new TablePrinter(view, "None", "").cells(stored, new Date(form.cellsAtMs)));
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

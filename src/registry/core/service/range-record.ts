import { messageOf } from "../../../apimachinery/errors/message-of.js";
import { parseJson } from "../../../apimachinery/json/json-parse.js";
import { isJsonObject } from "../../../apimachinery/json/json-value.js";
import type { Codec } from "../../../apimachinery/schema/codec.js";
import { decodeEnvelope, encodeEnvelope, hasEnvelope } from "../../../apimachinery/schema/envelope.js";
import type { RangeAllocation } from "../../../apis/gen/core-v1.js";
import { type KeyValueStore, noRevision, type Revision } from "../../../storage/kv.js";
import { StorageError } from "../../../storage/storage-error.js";

const typeMeta = { apiVersion: "v1", kind: "RangeAllocation" };

/** The stored state of one range. */
export interface RangeState {
  /** The range as the server that wrote the record named it; empty if there is none yet. */
  readonly rangeText: string;
  readonly data: Uint8Array;
  /** Revision of the key; 0 when there is none yet. */
  readonly revision: Revision;
}

export interface RangeRecordParts {
  readonly kv: KeyValueStore;
  /** Absolute key, such as the store prefix followed by `/ranges/serviceips`. */
  readonly key: string;
  readonly codec: Codec<RangeAllocation>;
  readonly mediaType: "protobuf" | "json";
}

/** The object (`v1` RangeAllocation) in which all servers record the allocations of a range. */
export class RangeRecord {
  readonly #parts: RangeRecordParts;

  constructor(parts: RangeRecordParts) {
    this.#parts = parts;
  }

  async read(): Promise<RangeState> {
    const { kv, key } = this.#parts;
    const { kvs } = await kv.range({ start: key });
    return this.#decode(kvs[0]);
  }

  /** Replaces `expected`. If the stored state differs, writes nothing and returns that state. */
  async write(
    expected: RangeState,
    next: Pick<RangeState, "rangeText" | "data">,
  ): Promise<{ readonly written: boolean; readonly state: RangeState }> {
    const { kv, key } = this.#parts;
    const { succeeded, revision, results } = await kv.transact({
      compare: [{ key, target: "mod", revision: expected.revision }],
      success: [{ kind: "put", key, value: this.#encode(next) }],
      failure: [{ kind: "range", range: { start: key } }],
    });
    if (succeeded) return { written: true, state: { ...next, revision } };
    const [found] = results;
    return { written: false, state: this.#decode(found?.kind === "range" ? found.result.kvs[0] : undefined) };
  }

  #encode({ rangeText, data }: Pick<RangeState, "rangeText" | "data">): Uint8Array {
    const { codec, mediaType } = this.#parts;
    const object: RangeAllocation = {
      metadata: {},
      range: rangeText,
      data: data.length === 0 ? undefined : Buffer.from(data).toString("base64"),
    };
    return mediaType === "json"
      ? Buffer.from(`${codec.toJsonWithType(object, typeMeta)}\n`)
      : encodeEnvelope(typeMeta, codec.toProto(object));
  }

  #decode(stored: { readonly value: Uint8Array; readonly modRevision: Revision } | undefined): RangeState {
    if (stored === undefined) return { rangeText: "", data: new Uint8Array(0), revision: noRevision };
    const object = this.#decodeObject(stored.value);
    return {
      rangeText: object.range,
      data: Buffer.from(object.data ?? "", "base64"),
      revision: stored.modRevision,
    };
  }

  #decodeObject(bytes: Uint8Array): RangeAllocation {
    const { codec, key } = this.#parts;
    try {
      if (hasEnvelope(bytes)) return codec.fromProto(decodeEnvelope(bytes).raw);
      const value = parseJson(bytes);
      if (!isJsonObject(value)) throw new Error("not an object");
      return codec.fromJson(value);
    } catch (cause) {
      const message = `unable to decode key ${JSON.stringify(key)}: ${messageOf(cause)}`;
      throw new StorageError("Corrupt", message, { key, cause });
    }
  }
}

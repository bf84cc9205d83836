import { messageOf } from "../../../apimachinery/errors/message-of.js";
import { StatusError } from "../../../apimachinery/errors/status.js";
import { parseJson } from "../../../apimachinery/json/json-parse.js";
import { printJson } from "../../../apimachinery/json/json-print.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../apimachinery/json/json-value.js";
import type { ReadScope } from "../../../apimachinery/objects/conversion-scope.js";
import { apiVersionOf, parseApiVersion } from "../../../apimachinery/objects/meta.js";
import { identityProblem, restoreMetadata } from "./converted-metadata.js";
import type { CustomCodec } from "./custom-codec.js";
import type { CustomObject } from "./custom-object.js";
import { RequestConversions } from "./request-conversions.js";

/** The objects of one call. */
export interface ConversionCall {
  /** JSON of each object with its type; all have the version `from`. */
  readonly sources: readonly string[];
  readonly from: string;
  readonly desiredApiVersion: string;
  readonly signal: AbortSignal;
}

/**
 * Calls a conversion webhook. Returns what `read` makes of the answer: the objects in the desired version and the same order. `read`
 * throws an `UnusableAnswer` for anything else.
 */
export type ConvertRemotely = <T>(
  call: ConversionCall,
  read: (converted: readonly JsonValue[]) => T,
) => Promise<T>;

/** The answer of a webhook breaks the rules of conversion. */
class UnusableAnswer extends Error {}

export interface ConverterParts {
  readonly group: string;
  readonly kind: string;
  readonly codecs: ReadonlyMap<string, CustomCodec>;
  readonly convert: ConvertRemotely;
}

/** An object, and its JSON as the webhook gets it. */
interface Sent {
  readonly object: CustomObject;
  readonly source: string;
}

const batchMax = 500;

/** Converts the objects of one definition by its webhook. */
export class Converter {
  readonly #parts: ConverterParts;
  /** Keyed by the abort signal, because each request has its own. */
  readonly #requests = new WeakMap<AbortSignal, RequestConversions>();

  constructor(parts: ConverterParts) {
    this.#parts = parts;
  }

  /** Converts one object of a request; `object` is not changed. Rejects with a `StatusError`. */
  async convert(object: CustomObject, from: string, to: string, signal: AbortSignal): Promise<CustomObject> {
    const source = this.#codec(from).toJsonWithType(object, this.#typeMeta(from));
    const ofRequest = this.#conversionsOf(signal);
    const known = ofRequest.get(source, to);
    if (known !== undefined) return this.#decode(parseJson(known), to);
    const [converted = {}] = await this.#ask([{ object, source }], from, to, signal);
    ofRequest.keep(source, to, printJson(converted));
    return this.#decode(converted, to);
  }

  /** Converts all objects, as many as possible in one call. Rejects with a `StatusError`. */
  async convertAll(
    objects: readonly { readonly object: CustomObject; readonly from: string }[],
    to: string,
    scope: ReadScope,
  ): Promise<CustomObject[]> {
    const results = new Array<CustomObject>(objects.length);
    for (const from of new Set(objects.map((one) => one.from))) {
      const ofVersion = objects.flatMap((one, index) =>
        one.from === from ? [{ index, object: one.object }] : [],
      );
      for (let start = 0; start < ofVersion.length; start += batchMax) {
        const batch = ofVersion.slice(start, start + batchMax);
        const converted = await this.#convertBatch(batch, from, to, scope);
        for (const [at, { index }] of batch.entries()) {
          const object = converted[at];
          if (object !== undefined) results[index] = object;
        }
      }
    }
    return results;
  }

  async #convertBatch(
    batch: readonly { readonly object: CustomObject }[],
    from: string,
    to: string,
    { signal, runWork }: ReadScope,
  ): Promise<CustomObject[]> {
    const sent: Sent[] = [];
    for (const { object } of batch) {
      const printed = runWork(() => this.#codec(from).toJsonWithType(object, this.#typeMeta(from)));
      sent.push({ object, source: printed instanceof Promise ? await printed : printed });
    }
    const converted: CustomObject[] = [];
    for (const answered of await this.#ask(sent, from, to, signal)) {
      const decoded = runWork(() => this.#decode(answered, to));
      converted.push(decoded instanceof Promise ? await decoded : decoded);
    }
    return converted;
  }

  async #ask(
    sent: readonly Sent[],
    from: string,
    to: string,
    signal: AbortSignal,
  ): Promise<readonly JsonObject[]> {
    const { group, kind, convert } = this.#parts;
    const webhook = `conversion webhook for ${group}/${from}, Kind=${kind}`;
    const sources = sent.map(({ source }) => source);
    const desiredApiVersion = this.#typeMeta(to).apiVersion;
    try {
      return await convert({ sources, from, desiredApiVersion, signal }, (converted) =>
        this.#read(
          converted,
          sent.map(({ object: { metadata } }) => objectOf(this.#codec(from).toJson({ metadata }))),
          to,
        ),
      );
    } catch (error) {
      const what = error instanceof UnusableAnswer ? error.message : `failed: ${messageOf(error)}`;
      throw conversionFailed(`${webhook} ${what}`, error);
    }
  }

  /** Only the metadata of `originals` is complete. */
  #read(
    converted: readonly JsonValue[],
    originals: readonly JsonObject[],
    to: string,
  ): readonly JsonObject[] {
    if (converted.length !== originals.length) {
      throw new UnusableAnswer(`returned ${converted.length} objects, expected ${originals.length}`);
    }
    return converted.map((object, index) => {
      try {
        return this.#restored(object, originals[index] ?? {}, to, placesOf(index, originals.length));
      } catch (error) {
        throw new UnusableAnswer(`returned invalid ${messageOf(error)}`, { cause: error });
      }
    });
  }

  /** Throws an `Error` when the webhook changed what it must not change. */
  #restored(converted: JsonValue, original: JsonObject, to: string, places: Places): JsonObject {
    const { apiVersion, kind } = this.#typeMeta(to);
    if (!isJsonObject(converted)) throw new Error(`${places.type}: expected an object`);
    if (converted.apiVersion !== apiVersion) {
      const received = String(converted.apiVersion ?? "");
      throw new Error(`${places.type}: invalid groupVersion (expected ${apiVersion}, received ${received})`);
    }
    if (converted.kind !== kind) {
      const received = String(converted.kind ?? "");
      throw new Error(`${places.type}: invalid kind (expected ${kind}, received ${received})`);
    }
    const problem = identityProblem(converted, original);
    if (problem !== undefined) throw new Error(`${places.identity}: ${problem}`);
    try {
      return restoreMetadata(converted, original);
    } catch (error) {
      throw new Error(`${places.metadata}: ${messageOf(error)}`);
    }
  }

  #decode(value: Parameters<CustomCodec["fromJson"]>[0], version: string): CustomObject {
    return this.#codec(version).fromJson(value);
  }

  #codec(version: string): CustomCodec {
    const codec = this.#parts.codecs.get(version);
    if (codec === undefined) throw conversionFailed(`${this.#parts.kind} has no version ${version}`);
    return codec;
  }

  #typeMeta(version: string): { readonly apiVersion: string; readonly kind: string } {
    const { group, kind } = this.#parts;
    return { apiVersion: apiVersionOf({ group, version }), kind };
  }

  #conversionsOf(signal: AbortSignal): RequestConversions {
    let conversions = this.#requests.get(signal);
    if (conversions === undefined) {
      conversions = new RequestConversions();
      this.#requests.set(signal, conversions);
    }
    return conversions;
  }
}

/** The apiVersion of an object that was stored before the storage version changed. */
export function versionMarkOf(object: CustomObject): string | undefined {
  const { apiVersion } = object;
  return typeof apiVersion === "string" ? parseApiVersion(apiVersion)?.version : undefined;
}

function objectOf(text: string): JsonObject {
  const value = parseJson(text);
  if (!isJsonObject(value)) throw new Error("an encoded object must be a JSON object");
  return value;
}

/** Paths by which messages name the parts of a converted object. */
interface Places {
  readonly type: string;
  readonly identity: string;
  readonly metadata: string;
}

/** Kubernetes names the index only if there are several objects. */
function placesOf(index: number, count: number): Places {
  if (count === 1) return { type: "object at index 0", identity: "object", metadata: "metadata" };
  const object = `converted object at index ${index}`;
  return { type: object, identity: object, metadata: `metadata in object at index ${index}` };
}

/** 500 without a reason, as kube-apiserver 1.23 answers. */
function conversionFailed(message: string, cause?: unknown): StatusError {
  return new StatusError({ message, code: 500 }, cause);
}

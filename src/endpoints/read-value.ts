import { isJsonObject } from "../apimachinery/json-value.js";
import { type Codec, DecodeError } from "../apimachinery/schema/codec.js";
import { badRequest } from "../apimachinery/status.js";
import type { ApiRequest } from "./api-request.js";

/** What a body may say that it is. */
export interface ValueType {
  readonly kind: string;
  /** The first is the one that the path means. */
  readonly apiVersions: readonly [string, ...string[]];
}

/**
 * The body of a request whose object is no resource of its own: a Scale, a Binding, an Eviction. An empty body is an empty
 * object. Throws 400 for another kind or version, and for what does not fit the type.
 */
export async function readValue<V>(request: ApiRequest, codec: Codec<V>, type: ValueType): Promise<V> {
  const body = await request.readBody();
  return orBadRequest(type.kind, () => {
    if (body?.kind === "protobuf") {
      checkType(type, body.typeMeta.apiVersion, body.typeMeta.kind);
      return codec.fromProto(body.raw);
    }
    const value = body?.value ?? {};
    if (isJsonObject(value)) checkType(type, value.apiVersion, value.kind);
    return codec.fromJson(value);
  });
}

/** Runs a decoder, and words what does not fit the type as the original does. */
export function orBadRequest<V>(kind: string, decode: () => V): V {
  try {
    return decode();
  } catch (error) {
    if (error instanceof DecodeError)
      throw badRequest(`${kind} cannot be handled as a ${kind}: ${error.message}`, error);
    throw error;
  }
}

/** Either may be left out. */
function checkType({ kind: expected, apiVersions }: ValueType, apiVersion: unknown, kind: unknown): void {
  const isLeftOut = (text: unknown): boolean => text === undefined || text === null || text === "";
  if (!isLeftOut(apiVersion) && !apiVersions.some((accepted) => accepted === apiVersion)) {
    throw badRequest(
      `the API version in the data (${String(apiVersion)}) does not match the expected API version (${apiVersions[0]})`,
    );
  }
  if (!isLeftOut(kind) && kind !== expected) {
    throw badRequest(`the kind in the data (${String(kind)}) does not match the expected kind (${expected})`);
  }
}

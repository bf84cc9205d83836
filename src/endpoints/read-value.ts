import { isJsonObject } from "../apimachinery/json-value.js";
import { type Codec, DecodeError } from "../apimachinery/schema/codec.js";
import { badRequest } from "../apimachinery/status.js";
import type { ApiRequest } from "./api-request.js";

/**
 * The body of a request whose object is no resource of its own: a Scale, a Binding, an Eviction. An empty body is an empty
 * object. Throws 400 for another kind, and for what does not fit the type.
 */
export async function readValue<V>(request: ApiRequest, codec: Codec<V>, kind: string): Promise<V> {
  const body = await request.readBody();
  return orBadRequest(kind, () => {
    if (body?.kind === "protobuf") {
      checkKind(body.typeMeta.kind, kind);
      return codec.fromProto(body.raw);
    }
    const value = body?.value ?? {};
    checkKind(isJsonObject(value) ? value.kind : undefined, kind);
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

function checkKind(sent: unknown, expected: string): void {
  if (sent === undefined || sent === "" || sent === expected) return;
  throw badRequest(`the kind in the data (${String(sent)}) does not match the expected kind (${expected})`);
}

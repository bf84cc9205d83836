import { JsonSyntaxError, parseJson } from "../../apimachinery/json-parse.js";
import { parseMediaRange } from "../../apimachinery/media-range.js";
import { DecodeError } from "../../apimachinery/schema/codec.js";
import { decodeEnvelope } from "../../apimachinery/schema/envelope.js";
import {
  badRequest,
  requestTooLarge,
  type StatusError,
  unsupportedMediaType,
} from "../../apimachinery/status.js";
import { YamlSyntaxError } from "../../apimachinery/yaml/parse-yaml.js";
import type { YamlConverter } from "../../apimachinery/yaml/yaml-converter.js";
import type { BodyOptions, RequestBody } from "../../endpoints/api-request.js";
import { unrecognizedBody } from "../../endpoints/unrecognized-body.js";
import { parseMediaTypeName } from "../../naming/either-profile.js";
import type { Naming } from "../../naming/naming.js";
import { BodyTooLargeError, type HttpExchange } from "../http/exchange.js";

/** Three times what one object may occupy in the store, as in the original. */
export const bodyBytesMax = 3 * 1024 * 1024;

/** The bytes of the body. Throws 413 above `maxBytes`, `ClientGoneError` when the client hangs up. */
export async function readBytes(
  exchange: HttpExchange,
  maxBytes: number = bodyBytesMax,
): Promise<Uint8Array> {
  try {
    return await exchange.readBody(maxBytes);
  } catch (error) {
    if (!(error instanceof BodyTooLargeError)) throw error;
    throw requestTooLarge(`Request entity too large: limit is ${error.limitBytes}`);
  }
}

export interface BodyParts {
  readonly naming: Naming;
  readonly yaml: YamlConverter;
}

export interface DecodeBodyOptions extends BodyOptions {
  /** Ends the reading of long YAML. Asked for then: few requests need theirs made. */
  readonly signal?: (() => AbortSignal) | undefined;
}

/**
 * Reads a body by its Content-Type; a missing one means JSON. Undefined for an empty body. Throws 415 for media types that
 * are no representation of objects, 400 for what does not parse.
 */
export async function decodeBytes(
  bytes: Uint8Array,
  contentType: string | undefined,
  { naming, yaml }: BodyParts,
  options: DecodeBodyOptions = {},
): Promise<RequestBody | undefined> {
  const representation = representationOf(contentType, naming);
  if (bytes.length === 0 && options.expectedKind === undefined) return undefined;
  try {
    switch (representation) {
      case "json":
        return { kind: "json", value: parseJson(bytes, { onDuplicateField: options.onDuplicateField }) };
      case "yaml":
        return { kind: "json", value: await yaml.parse(bytes, options.onDuplicateKey, options.signal?.()) };
      case "protobuf": {
        const { typeMeta, raw } = decodeEnvelope(bytes);
        return { kind: "protobuf", typeMeta, raw };
      }
    }
  } catch (error) {
    throw unreadable(error, bytes, options.expectedKind);
  }
}

function representationOf(contentType: string | undefined, naming: Naming): "json" | "yaml" | "protobuf" {
  if (contentType === undefined || contentType === "") return "json";
  const range = parseMediaRange(contentType);
  const name = range && parseMediaTypeName(`${range.type}/${range.subtype}`);
  if (name === "json" || name === "yaml" || name === "protobuf") return name;
  throw unsupportedMediaType(["application/json", "application/yaml", naming.protobufMediaType]);
}

/** In the words of the original's decoder, which clients and people search for. */
function unreadable(error: unknown, bytes: Uint8Array, expectedKind: string | undefined): StatusError {
  let why: string;
  if (error instanceof JsonSyntaxError) why = `couldn't get version/kind; json parse error: ${error.message}`;
  else if (error instanceof YamlSyntaxError) why = `error converting YAML to JSON: yaml: ${error.message}`;
  else if (error instanceof DecodeError) why = error.message;
  else throw error;
  return expectedKind === undefined
    ? badRequest(why, error)
    : unrecognizedBody({ expectedKind, why, bytes, cause: error });
}

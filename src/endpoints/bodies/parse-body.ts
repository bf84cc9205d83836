import { CborError, parseCbor } from "../../apimachinery/cbor/parse-cbor.js";
import { badRequest, type StatusError, unsupportedMediaType } from "../../apimachinery/errors/status.js";
import { parseJson } from "../../apimachinery/json/json-parse.js";
import { JsonSyntaxError } from "../../apimachinery/json/json-scanner.js";
import type { JsonValue } from "../../apimachinery/json/json-value.js";
import type { NumberTexts, WrittenNumber, WrittenValue } from "../../apimachinery/json/written-number.js";
import { mediaTypeOf } from "../../apimachinery/requests/media-range.js";
import { DecodeError, type TypeMeta } from "../../apimachinery/schema/codec.js";
import { decodeEnvelope } from "../../apimachinery/schema/envelope.js";
import type { YamlConverter } from "../../apimachinery/yaml/yaml-converter.js";
import { YamlSyntaxError } from "../../apimachinery/yaml/yaml-syntax-error.js";
import { parseMediaTypeName } from "../../naming/media-types.js";
import type { ApiRequest } from "../../request/api-request.js";
import { unrecognizedBody } from "./unrecognized-body.js";

export interface BodyOptions {
  /** The kind that the body should contain. If set, an empty body is 400, and syntax errors name the kind. */
  readonly expectedKind?: string | undefined;
  /** Called with the path of each key that repeats an earlier one of its JSON object. */
  readonly onDuplicateField?: ((path: string) => void) | undefined;
  /** The same for YAML, with line numbers from 1. */
  readonly onDuplicateKey?: ((key: string, line: number) => void) | undefined;
}

export type ParsedBody =
  | {
      readonly kind: "json";
      readonly value: JsonValue;
      /** See `WrittenValue`; absent where the format does not preserve how numbers were written, as in YAML and CBOR. */
      readonly numberTexts?: NumberTexts | undefined;
    }
  | { readonly kind: "protobuf"; readonly typeMeta: TypeMeta; readonly raw: Uint8Array };

/** The parts of a request that parsing needs. */
export type BodyRequest = Pick<ApiRequest, "body" | "signal"> & Partial<Pick<ApiRequest, "user">>;

/** Parses the bodies of requests, without knowing their types. */
export class BodyParser {
  readonly #yaml: YamlConverter;
  readonly #protobufMediaType: string;
  /** The gate CBORServingAndStorage. */
  readonly cbor: boolean;

  constructor(parts: {
    readonly yaml: YamlConverter;
    readonly protobufMediaType: string;
    readonly cbor?: boolean;
  }) {
    this.#yaml = parts.yaml;
    this.#protobufMediaType = parts.protobufMediaType;
    this.cbor = parts.cbor ?? false;
  }

  /**
   * By Content-Type; missing means JSON. A promise only for YAML. Undefined for an empty body. Throws 415 for unsupported media types, 400
   * for syntax errors.
   */
  parse(request: BodyRequest, options: BodyOptions = {}): ParsedBody | undefined | Promise<ParsedBody> {
    const { bytes, contentType } = request.body;
    if (bytes.length === 0 && options.expectedKind === undefined) return undefined;
    const representation = this.#representationOf(contentType);
    try {
      switch (representation) {
        case "json":
          return {
            kind: "json",
            ...parseWritten(bytes, options.onDuplicateField),
          };
        case "yaml":
          return this.#parseYaml(request, options).then(
            (value) => ({ kind: "json", value }),
            (error: unknown) => {
              throw unreadable(error, bytes, options.expectedKind);
            },
          );
        // CBOR with repeated names is refused outright.
        case "cbor":
          return { kind: "json", value: parseCbor(bytes) };
        case "protobuf": {
          const { typeMeta, raw } = decodeEnvelope(bytes);
          return { kind: "protobuf", typeMeta, raw };
        }
      }
    } catch (error) {
      throw unreadable(error, bytes, options.expectedKind);
    }
  }

  /** Throws 415 for a media type that `parse` does not read. */
  checkMediaType({ body }: Pick<ApiRequest, "body">): void {
    this.#representationOf(body.contentType);
  }

  /** The body as YAML (or JSON, which is YAML), whatever its Content-Type. Rejects with 400. */
  async parseYaml(request: BodyRequest, options?: BodyOptions): Promise<JsonValue> {
    try {
      return await this.#parseYaml(request, options);
    } catch (error) {
      if (error instanceof YamlSyntaxError) throw badRequest(`error decoding YAML: ${error.message}`, error);
      throw error;
    }
  }

  /** The body as CBOR, whatever its Content-Type. Throws 400. */
  parseCbor({ body }: BodyRequest): JsonValue {
    try {
      return parseCbor(body.bytes);
    } catch (error) {
      if (error instanceof CborError) throw badRequest(`error decoding CBOR: ${error.message}`, error);
      throw error;
    }
  }

  #parseYaml({ body, signal, user }: BodyRequest, options: BodyOptions | undefined): Promise<JsonValue> {
    return this.#yaml.parse(body.bytes, options?.onDuplicateKey, signal, user?.name);
  }

  #representationOf(contentType: string | undefined): "json" | "yaml" | "protobuf" | "cbor" {
    if (contentType === undefined || contentType === "") return "json";
    const name = parseMediaTypeName(mediaTypeOf(contentType));
    if (name === "json" || name === "yaml" || name === "protobuf") return name;
    if (name === "cbor" && this.cbor) return name;
    throw unsupportedMediaType([
      "application/json",
      "application/yaml",
      this.#protobufMediaType,
      ...(this.cbor ? ["application/cbor"] : []),
    ]);
  }
}

/** Parses JSON and keeps how its numbers were written. Throws `JsonSyntaxError`. */
export function parseWritten(
  bytes: Uint8Array,
  onDuplicateField: BodyOptions["onDuplicateField"],
): WrittenValue {
  let numberTexts: Map<string, string> | undefined;
  const onNumberText = (path: string, { value, text }: WrittenNumber): JsonValue => {
    numberTexts ??= new Map();
    numberTexts.set(path, text);
    return value;
  };
  const value = parseJson(bytes, { onDuplicateField, onNumberText });
  return { value, numberTexts };
}

/** The syntax error in the words of Kubernetes' decoder, which people search for. */
function unreadable(error: unknown, bytes: Uint8Array, expectedKind: string | undefined): StatusError {
  let why: string;
  if (error instanceof JsonSyntaxError) why = `couldn't get version/kind; json parse error: ${error.message}`;
  else if (error instanceof YamlSyntaxError) why = `yaml: ${error.message}`;
  else if (error instanceof CborError) why = `unable to determine group/version/kind: ${error.message}`;
  else if (error instanceof DecodeError) why = error.message;
  else throw error;
  return expectedKind === undefined
    ? badRequest(why, error)
    : unrecognizedBody({ expectedKind, why, bytes, cause: error });
}

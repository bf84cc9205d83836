import { parseCbor } from "../../apimachinery/cbor/parse-cbor.js";
import type { JsonValue } from "../../apimachinery/json/json-value.js";
import { parseApiVersion } from "../../apimachinery/objects/meta.js";
import { mediaTypeOf } from "../../apimachinery/requests/media-range.js";
import type { Codec, TypeMeta } from "../../apimachinery/schema/codec.js";
import { decodeEnvelope } from "../../apimachinery/schema/envelope.js";
import type { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import type { YamlConverter } from "../../apimachinery/yaml/yaml-converter.js";
import { type MediaTypeName, parseMediaTypeName } from "../../naming/media-types.js";

export interface BodyReaderParts {
  readonly schemas: SchemaRegistry;
  readonly yaml: YamlConverter;
  /** The neutral stem of a group's name: `rbac.authorization`. */
  readonly groupStem: (group: string) => string;
}

/** Reads bodies of any representation as JSON, because a recording is JSON throughout. */
export class BodyReader {
  readonly #parts: BodyReaderParts;

  constructor(parts: BodyReaderParts) {
    this.#parts = parts;
  }

  /** Rejects for a body that is not of its media type, or of an unknown type. Unset: JSON. */
  async read(bytes: Uint8Array, mediaType: string | undefined): Promise<JsonValue> {
    switch (nameOf(mediaType)) {
      case "yaml":
      case "applyPatch":
        return await this.#parts.yaml.parse(bytes);
      case "cbor":
      case "applyPatchCbor":
        return parseCbor(bytes);
      case "protobuf": {
        const { typeMeta, raw } = decodeEnvelope(bytes);
        const codec = this.#codecOf(typeMeta);
        return JSON.parse(codec.toJsonWithType(codec.fromProto(raw), typeMeta));
      }
      default:
        return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"));
    }
  }

  #codecOf({ apiVersion, kind }: TypeMeta): Codec {
    const { schemas, groupStem } = this.#parts;
    const { group = "", version = "" } = parseApiVersion(apiVersion) ?? {};
    const [stem = ""] = groupStem(group).split(".", 1);
    // Options and statuses belong to every group.
    const names = [`${group === "" ? "core" : stem}/${version}.${kind}`, `meta/v1.${kind}`];
    const known = names.find((name) => schemas.has(name));
    if (known === undefined) throw new Error(`this server has no type ${kind} of ${apiVersion}`);
    return schemas.codec(known);
  }
}

/** The JSON media type with the same meaning. */
export function asJsonType(mediaType: string | undefined): string | undefined {
  switch (nameOf(mediaType)) {
    case "yaml":
    case "cbor":
    case "protobuf":
      return "application/json";
    case "applyPatchCbor":
      return "application/apply-patch+yaml";
    default:
      return mediaType;
  }
}

/** An `Accept` header for the JSON of the requested form, such as a table; undefined if plain objects are requested. */
export function acceptedAsJson(accept: string | undefined): string | undefined {
  const ranges = (accept ?? "").split(",").map((range) => range.split(";").map((part) => part.trim()));
  if (!ranges.some((parts) => parts.some((part) => part.startsWith("as=")))) return undefined;
  const asked = ranges.map(([, ...parameters]) => ["application/json", ...parameters].join(";"));
  return [...new Set(asked)].join(",");
}

function nameOf(mediaType: string | undefined): MediaTypeName | undefined {
  return mediaType === undefined ? undefined : parseMediaTypeName(mediaTypeOf(mediaType));
}

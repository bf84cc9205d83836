import { Buffer } from "node:buffer";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import type { ApiObject } from "../../../apimachinery/objects/meta.js";
import type { Codec } from "../../../apimachinery/schema/codec.js";
import { SchemaParser } from "../../../apimachinery/structural-schema/parse-schema.js";
import { pruneObject } from "../../../apimachinery/structural-schema/prune.js";
import type { StructuralSchema } from "../../../apimachinery/structural-schema/structural-schema.js";
import type { LocalConversion } from "../../definition/resource-definition.js";
import { checksPerByte } from "./checks-per-byte.js";
import { type CustomObject, jsonOf } from "./custom-object.js";
import { Reclaimable } from "./reclaimable.js";
import { schemaWeight } from "./schema-weight.js";

const noText = Buffer.alloc(0);
/** The weight of a schema that takes some ten milliseconds to parse. */
const parsedAtOnceMax = 128 * 1024;

export interface SchemaParts {
  /** Starts the profile's extension fields: `x-orch-`. */
  readonly prefix: string;
  /** Reads the schema of a version from the store again, because schemas are not kept in memory. */
  readonly openApiSchema: (version: string) => JsonObject | undefined;
  /** The schema's stored text; equal for equal schemas. */
  readonly schemaText: (version: string) => Buffer | undefined;
  readonly level: ApiLevel;
}

/** The schemas of a definition's versions, parsed on first use. */
export class SchemaSource {
  readonly #keepsEverything: boolean;
  readonly #parts: SchemaParts;
  readonly #weights = new Map<string, number>();
  readonly #checksPerByte = new Map<string, number>();
  readonly #preparing = new Set<string>();
  readonly #parsed = new Map<string, Reclaimable<{ readonly schema: StructuralSchema | undefined }>>();

  constructor(keepsEverything: boolean, parts: SchemaParts) {
    this.#keepsEverything = keepsEverything;
    this.#parts = parts;
  }

  weightOf(version: string): number {
    let weight = this.#weights.get(version);
    if (weight === undefined) {
      weight = schemaWeight(this.#parts.schemaText(version) ?? noText);
      this.#weights.set(version, weight);
    }
    return weight;
  }

  checksPerByteOf(version: string): number {
    let checks = this.#checksPerByte.get(version);
    if (checks === undefined) {
      const schema = this.of(version);
      checks = schema === undefined ? 0 : checksPerByte(schema);
      this.#checksPerByte.set(version, checks);
    }
    return checks;
  }

  of(version: string): StructuralSchema | undefined {
    return this.#ofVersion(version).get().schema;
  }

  /** Parses a large schema in steps of some ten milliseconds each, so that `of` finds it parsed. Undefined if there is nothing to do. */
  preparation(version: string): Iterable<() => void> | undefined {
    if (this.weightOf(version) <= parsedAtOnceMax || this.#ofVersion(version).known() !== undefined)
      return undefined;
    return this.#steps(version);
  }

  *#steps(version: string): Generator<() => void> {
    // A second caller waits for the first instead of parsing the schema again.
    while (this.#preparing.has(version)) yield () => undefined;
    if (this.#ofVersion(version).known() !== undefined) return;
    this.#preparing.add(version);
    try {
      const parser = this.#parser();
      let schema: JsonObject | undefined;
      yield () => {
        schema = this.#parts.openApiSchema(version);
      };
      if (schema !== undefined) yield* parser.steps(schema);
      yield () => this.#ofVersion(version).set(this.#structural(schema, parser));
      yield () => void this.checksPerByteOf(version);
    } finally {
      this.#preparing.delete(version);
    }
  }

  #ofVersion(version: string): Reclaimable<{ readonly schema: StructuralSchema | undefined }> {
    let parsed = this.#parsed.get(version);
    if (parsed === undefined) {
      parsed = new Reclaimable(() => this.#structural(this.#parts.openApiSchema(version)));
      this.#parsed.set(version, parsed);
    }
    return parsed;
  }

  /** Conversion None: sets the apiVersion and prunes by the version's schema. */
  identity(version: string, storage: string, allFields: Codec<ApiObject>): LocalConversion<CustomObject> {
    let same: boolean | undefined;
    const isSame = (): boolean => {
      if (same === undefined) {
        const text = (name: string) => this.#parts.schemaText(name) ?? noText;
        same = Buffer.compare(text(version), text(storage)) === 0;
      }
      return same;
    };
    return {
      hub: false,
      allFields,
      toHub: (object) => object as CustomObject,
      fromHub: (hub) => {
        const schema = this.of(version);
        if (schema === undefined) return hub;
        return { ...pruneObject(jsonOf(hub), schema, true), metadata: hub.metadata };
      },
      sharesBody: isSame,
    };
  }

  #structural(
    schema: JsonObject | undefined,
    parser = this.#parser(),
  ): { readonly schema: StructuralSchema | undefined } {
    if (schema === undefined) return { schema };
    const parsed = parser.parse(schema);
    return { schema: this.#keepsEverything ? { ...parsed, preservesUnknown: true } : parsed };
  }

  #parser(): SchemaParser {
    return new SchemaParser(this.#parts.prefix, this.#parts.level);
  }
}

import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { GroupVersion } from "../../apimachinery/objects/meta.js";
import { turnIfRoundIsOver } from "../../event-loop/turns.js";
import type { Naming } from "../../naming/naming.js";
import type { ApiPath } from "./api-path.js";
import { customSchema } from "./custom-schema.js";
import { DeclaredSchemas, type TypeSource } from "./declared-schemas.js";
import type { DefinitionNames } from "./definition-names.js";
import { Definitions } from "./definitions.js";
import type { Descriptions } from "./descriptions.js";
import type { Dialect } from "./dialect.js";
import { commonProperties, type GivenSchema, GivenSchemas } from "./given-schemas.js";
import type { ResourcePathsParts } from "./resource-operations.js";
import type { Section } from "./sections.js";

export interface SectionDescriberParts {
  readonly naming: Naming;
  readonly types: TypeSource;
  /** The gate OpenAPIEnums. */
  readonly enums: boolean;
  /** Whether requests and answers may be CBOR. */
  readonly cbor: boolean;
  /** The gate ServerSideFieldValidation. */
  readonly fieldValidation: boolean;
  readonly level: ApiLevel;
}

export interface SectionDescription {
  readonly paths: (section: Section) => Iterable<ApiPath>;
  /** The definitions that the paths refer to. */
  readonly definitions: Definitions;
  readonly schemas: DeclaredSchemas;
}

/** Describes sections of the API, independently of the documents' format. */
export class SectionDescriber {
  readonly #parts: SectionDescriberParts;
  readonly #names: DefinitionNames;
  readonly #descriptions: Descriptions;
  readonly #declared: readonly GroupVersion[];
  readonly #schemas = new Map<Dialect, DeclaredSchemas>();

  constructor(
    parts: SectionDescriberParts,
    shared: { readonly names: DefinitionNames; readonly descriptions: Descriptions },
    declared: readonly GroupVersion[],
  ) {
    this.#parts = parts;
    this.#names = shared.names;
    this.#descriptions = shared.descriptions;
    this.#declared = declared;
  }

  /** What path items need. */
  async describe(sections: readonly Section[], dialect: Dialect): Promise<SectionDescription> {
    // The Swagger document has all of them in any case.
    const needsAll = dialect === "v2" || sections.some(({ declaresTypes }) => declaresTypes);
    await this.#descriptions.load(needsAll ? "all" : "common");
    const { naming, types, level, cbor, fieldValidation } = this.#parts;
    const names = this.#names;
    const schemas = this.#schemasOf(dialect);
    const definitions = new Definitions(schemas, (name, document) => given.schema(name, document));
    const given = new GivenSchemas(await this.#givenSchemas(sections, definitions), { naming, names, level });
    const parts: ResourcePathsParts = {
      naming,
      cbor,
      fieldValidation,
      names,
      types,
      descriptions: this.#descriptions,
      customBodies: (served) => given.bodiesOf(served),
    };
    return {
      paths: (section) => section.paths(parts),
      definitions,
      schemas,
    };
  }

  async #givenSchemas(sections: readonly Section[], definitions: Definitions): Promise<GivenSchema[]> {
    const given: GivenSchema[] = [];
    const { naming, level } = this.#parts;
    const { dialect } = definitions;
    for (const served of sections.flatMap(({ custom }) => custom)) {
      // Parsing a large schema takes as long as several rounds.
      await turnIfRoundIsOver();
      const schema = served.schema?.();
      if (schema === undefined) continue;
      const objectFields = commonProperties(definitions, "ObjectMeta");
      given.push({
        served,
        schema: await customSchema(schema, { dialect, naming, objectFields, level }),
      });
    }
    return given;
  }

  #schemasOf(dialect: Dialect): DeclaredSchemas {
    let schemas = this.#schemas.get(dialect);
    if (schemas === undefined) {
      const { naming, types, enums, level } = this.#parts;
      schemas = new DeclaredSchemas({
        dialect,
        naming,
        names: this.#names,
        types,
        descriptions: this.#descriptions,
        enums,
        level,
        servedVersions: this.#declared,
      });
      this.#schemas.set(dialect, schemas);
    }
    return schemas;
  }
}

export function sortedObject(members: readonly (readonly [name: string, value: JsonObject])[]): JsonObject {
  return Object.fromEntries([...members].sort(([a], [b]) => (a < b ? -1 : 1)));
}

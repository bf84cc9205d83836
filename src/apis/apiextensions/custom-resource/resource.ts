import { isJsonObject, type JsonObject } from "../../../apimachinery/json-value.js";
import type { ApiObject, ObjectMeta } from "../../../apimachinery/meta.js";
import type { Codec, MessageCodec } from "../../../apimachinery/schema/codec.js";
import { setDefaults } from "../../../apimachinery/structural-schema/set-defaults.js";
import {
  parseStructuralSchema,
  type StructuralSchema,
} from "../../../apimachinery/structural-schema/structural-schema.js";
import { allVerbs, partVerbs } from "../../definition/define-resource.js";
import type {
  ResourceDefinition,
  SubresourceDefinition,
  VersionDefinition,
} from "../../definition/resource-definition.js";
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from "../../gen/apiextensions-v1.js";
import { storageVersionName } from "../custom-resource-definition/stored-versions.js";
import { customColumns } from "./columns.js";
import { CustomCodec } from "./custom-codec.js";
import { type CustomObject, jsonOf } from "./custom-object.js";
import { Reclaimable } from "./reclaimable.js";
import { customScale } from "./scale.js";
import { customSelectableFields } from "./selectable-fields.js";
import { customStrategies, type VersionRules } from "./strategy.js";

export interface CustomResourceParts {
  /** Of the profile's extension fields: `x-orch-`. */
  readonly prefix: string;
  readonly metaCodec: MessageCodec<ObjectMeta>;
  /** The definition once more, when its schemas are needed: they are not held in between. */
  readonly load: () => CustomResourceDefinition;
}

/** What a definition defines, as far as the server serves it: names are the accepted ones. Takes nothing large from `definition`. */
export function customResource(
  definition: CustomResourceDefinition,
  parts: CustomResourceParts,
): ResourceDefinition<CustomObject> {
  const { spec, status } = definition;
  const { group } = spec;
  const { plural, singular = "", kind, shortNames = [], categories = [] } = status.acceptedNames;
  const declared = spec.versions ?? [];
  const storage = storageVersionName(spec) ?? "";
  const schemas = new SchemaSource(spec.preserveUnknownFields === true, parts);
  const rules = new Map(declared.map((version) => [version.name, rulesOf(version, schemas)]));
  const strategies = customStrategies({
    group,
    kind,
    metaCodec: parts.metaCodec,
    hasStatus: declared.some(({ subresources }) => subresources?.status !== undefined),
    rulesOf: ({ version = storage }) => {
      const found = rules.get(version) ?? rules.get(storage);
      if (found === undefined) throw new Error(`${plural}.${group} has no version ${version}`);
      return found;
    },
  });
  const subresourcesOf = (version: CustomResourceDefinitionVersion | undefined) =>
    customSubresources(version, strategies.status);
  const stored = declared.find(({ name }) => name === storage);
  return {
    group,
    resource: plural,
    singular,
    kind,
    namespaced: spec.scope === "Namespaced",
    shortNames,
    categories,
    verbs: allVerbs,
    versions: declared.map((version) => ({
      ...customVersion(version, schemas, parts, version.name === storage),
      subresources: subresourcesOf(version),
    })),
    storage: { version: storage, prefix: `/${group}/${plural}` },
    strategy: strategies.main,
    subresources: subresourcesOf(stored),
    selectableFields: customSelectableFields(declared),
    columns: customColumns(stored?.additionalPrinterColumns),
  };
}

/** The schemas of a definition's versions, parsed when objects are read or checked. */
class SchemaSource {
  readonly #keepsEverything: boolean;
  readonly #parts: CustomResourceParts;
  readonly #parsed = new Map<string, Reclaimable<{ readonly schema: StructuralSchema | undefined }>>();

  constructor(keepsEverything: boolean, parts: CustomResourceParts) {
    this.#keepsEverything = keepsEverything;
    this.#parts = parts;
  }

  of(version: string): StructuralSchema | undefined {
    let parsed = this.#parsed.get(version);
    if (parsed === undefined) {
      parsed = new Reclaimable(() => ({ schema: this.#parse(version) }));
      this.#parsed.set(version, parsed);
    }
    return parsed.get().schema;
  }

  #parse(version: string): StructuralSchema | undefined {
    const { load, prefix } = this.#parts;
    const schema = openApiSchemaOf(load(), version);
    if (schema === undefined) return undefined;
    const parsed = parseStructuralSchema(schema, prefix);
    return this.#keepsEverything ? { ...parsed, preservesUnknown: true } : parsed;
  }
}

/** The OpenAPI schema of a version as it was declared. */
export function openApiSchemaOf({ spec }: CustomResourceDefinition, version: string): JsonObject | undefined {
  const schema = spec.versions?.find(({ name }) => name === version)?.schema?.openAPIV3Schema;
  return isJsonObject(schema) ? schema : undefined;
}

function customVersion(
  { name, additionalPrinterColumns }: CustomResourceDefinitionVersion,
  schemas: SchemaSource,
  { metaCodec }: CustomResourceParts,
  isStorage: boolean,
): VersionDefinition<CustomObject> {
  const schema = () => schemas.of(name);
  const codec = new CustomCodec({ metaCodec, schema });
  return {
    version: name,
    // Whatever reads and writes objects of the kind gets them from this codec.
    codec: codec as unknown as Codec<ApiObject>,
    hasProtobuf: false,
    enabledByDefault: true,
    setDefaults(object) {
      const found = schema();
      if (found !== undefined) setDefaults(jsonOf(object), found);
    },
    conversion: isStorage
      ? { hub: true }
      : { hub: false, toHub: (object) => object as CustomObject, fromHub: (hub) => hub },
    columns: customColumns(additionalPrinterColumns),
  };
}

function rulesOf(
  { name, subresources }: CustomResourceDefinitionVersion,
  schemas: SchemaSource,
): VersionRules {
  return {
    version: name,
    schema: () => schemas.of(name),
    hasStatus: subresources?.status !== undefined,
    scale: subresources?.scale,
  };
}

function customSubresources(
  version: CustomResourceDefinitionVersion | undefined,
  status: ReturnType<typeof customStrategies>["status"],
): SubresourceDefinition<CustomObject>[] {
  const { subresources } = version ?? {};
  return [
    ...(subresources?.status === undefined
      ? []
      : [{ kind: "part", name: "status", verbs: partVerbs, strategy: status } as const]),
    ...(subresources?.scale === undefined
      ? []
      : [
          { kind: "scale", name: "scale", verbs: partVerbs, scale: customScale(subresources.scale) } as const,
        ]),
  ];
}

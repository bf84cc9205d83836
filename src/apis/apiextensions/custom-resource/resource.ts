import { Buffer } from "node:buffer";
import { invalidObject } from "../../../apimachinery/errors/status.js";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import type { ApiObject, ObjectMeta } from "../../../apimachinery/objects/meta.js";
import type { Codec, MessageCodec } from "../../../apimachinery/schema/codec.js";
import { pruneObject } from "../../../apimachinery/structural-schema/prune.js";
import { setDefaults } from "../../../apimachinery/structural-schema/set-defaults.js";
import {
  parseStructuralSchema,
  type StructuralSchema,
} from "../../../apimachinery/structural-schema/structural-schema.js";
import type { ObjectCodec } from "../../../storage/object-store.js";
import { partVerbs } from "../../definition/define-resource.js";
import type {
  LocalConversion,
  RemoteConversion,
  ResourceDefinition,
  SubresourceDefinition,
  Verb,
  VersionDefinition,
} from "../../definition/resource-definition.js";
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from "../../gen/apiextensions-v1.js";
import { storageVersionName } from "../custom-resource-definition/stored-versions.js";
import { checksPerByte } from "./checks-per-byte.js";
import { customColumns } from "./columns.js";
import { Converter, type ConvertRemotely, versionMarkOf } from "./converter.js";
import { CustomCodec } from "./custom-codec.js";
import { type CustomObject, jsonOf } from "./custom-object.js";
import { Reclaimable } from "./reclaimable.js";
import { customScale } from "./scale.js";
import { schemaWeight } from "./schema-weight.js";
import { customSelectableFields, customSelectableNames } from "./selectable-fields.js";
import { isMarked, unconvertedForm } from "./stored-form.js";
import { type CustomValidation, customStrategies, type VersionRules } from "./strategy.js";

export interface CustomResourceParts {
  /** Starts the profile's extension fields: `x-orch-`. */
  readonly prefix: string;
  readonly metaCodec: MessageCodec<ObjectMeta>;
  /** Reads the schema of a version again when it is needed, because schemas are not kept in memory. */
  readonly openApiSchema: (version: string) => JsonObject | undefined;
  /** The text of the same, which is equal for equal schemas. */
  readonly schemaText: (version: string) => Buffer | undefined;
  /** Calls the definition's conversion webhook; undefined for conversion None. */
  readonly convert?: ConvertRemotely | undefined;
  readonly validation: CustomValidation;
}

/** The resource of a definition, and how its objects are stored where that differs from built-in kinds. */
export interface CustomResource {
  readonly definition: ResourceDefinition<CustomObject>;
  readonly codec: ObjectCodec<CustomObject> | undefined;
  /** Converts an object that was stored in another version to the storage version. */
  readonly toStorageVersion:
    | ((object: CustomObject, signal: AbortSignal) => Promise<CustomObject>)
    | undefined;
}

/** In the order in which Kubernetes lists them. */
const customVerbs: readonly Verb[] = [
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "create",
  "update",
  "watch",
];

/** The resource that a definition defines, with the accepted names. Keeps nothing large of `definition`. */
export function customResource(
  definition: CustomResourceDefinition,
  parts: CustomResourceParts,
): CustomResource {
  const { spec, status } = definition;
  const { group } = spec;
  const { plural, singular = "", kind, shortNames = [], categories = [] } = status.acceptedNames;
  const declared = spec.versions ?? [];
  const storage = storageVersionName(spec) ?? "";
  const schemas = new SchemaSource(spec.preserveUnknownFields === true, parts);
  const rules = new Map(declared.map((version) => [version.name, rulesOf(version, schemas)]));
  const storedSchema = () => schemas.of(storage);
  const strategies = customStrategies({
    group,
    kind,
    metaCodec: parts.metaCodec,
    validation: parts.validation,
    storageVersion: storage,
    storedSchema: () => schemas.of(storage),
    hasStatus: declared.some(({ subresources }) => subresources?.status !== undefined),
    rulesOf: ({ version = storage }) => {
      // Objects that a webhook converts are validated before, in their own version.
      const found = (parts.convert === undefined ? rules.get(version) : undefined) ?? rules.get(storage);
      if (found === undefined) throw new Error(`${plural}.${group} has no version ${version}`);
      return found;
    },
  });
  const codecs = new Map(
    declared.map(({ name }) => [
      name,
      new CustomCodec({
        metaCodec: parts.metaCodec,
        schema: () => schemas.of(name),
      }),
    ]),
  );
  const converter = parts.convert && new Converter({ group, kind, codecs, convert: parts.convert });
  const subresourcesOf = (version: CustomResourceDefinitionVersion | undefined) =>
    customSubresources(version, strategies.status, storedSchema);
  const stored = declared.find(({ name }) => name === storage);
  const selectableFields = customSelectableFields(
    converter === undefined ? declared : stored ? [stored] : [],
  );
  const hub = declared
    .filter(({ name }) => name === storage)
    .map((version) => customVersion(version, schemas, codecs));
  const resource: ResourceDefinition<CustomObject> = {
    ...(converter !== undefined && { hub: hub[0] }),
    level: parts.validation.level,
    group,
    resource: plural,
    singular,
    kind,
    namespaced: spec.scope === "Namespaced",
    shortNames,
    categories,
    verbs: customVerbs,
    versions: declared.map((version) => ({
      ...customVersion(version, schemas, codecs),
      ...(version.name !== storage &&
        converter === undefined && { conversion: schemas.identity(version.name, storage) }),
      ...(converter !== undefined && {
        conversion: {
          ...remoteConversion(converter, version.name, storage, (object) => {
            const errors = strategies.validateAt(rules.get(version.name), object);
            if (errors.length > 0) throw invalidObject({ group, kind }, object.metadata.name ?? "", errors);
          }),
        },
      }),
      subresources: subresourcesOf(converter !== undefined && version.subresources?.scale ? stored : version),
      selectableFields: customSelectableNames(version).filter((name) =>
        selectableFields.names.includes(name),
      ),
    })),
    storage: { version: storage, prefix: `/${group}/${plural}` },
    strategy: strategies.main,
    subresources: subresourcesOf(stored),
    selectableFields,
    columns: customColumns(stored?.additionalPrinterColumns),
  };
  if (converter === undefined) return { definition: resource, codec: undefined, toStorageVersion: undefined };
  const setVersionDefaults = (object: CustomObject, version: string): void => {
    const schema = schemas.of(version);
    if (schema !== undefined) setDefaults(jsonOf(object), schema);
  };
  return {
    definition: resource,
    codec: {
      ...unconvertedForm({
        group,
        kind,
        namespaced: resource.namespaced,
        storage,
        codecs,
        setDefaults: setVersionDefaults,
        selectableFields,
      }),
      preparation: () => schemas.preparation(storage),
    },
    async toStorageVersion(object, signal) {
      const from = versionMarkOf(object);
      return from === undefined ? object : await converter.convert(object, from, storage, signal);
    },
  };
}

/** The webhook conversion to and from the storage version. Requests are validated in their own version. */
function remoteConversion(
  converter: Converter,
  version: string,
  storage: string,
  check: (object: CustomObject) => void,
): RemoteConversion<CustomObject> {
  const sourceOf = (hub: CustomObject) => ({ object: hub, from: versionMarkOf(hub) ?? storage });
  const isSame = (hub: CustomObject): boolean => sourceOf(hub).from === version;
  // All objects of the version come from its codec.
  const ownForm = (object: ApiObject): CustomObject => object as CustomObject;
  return {
    hub: false,
    remote: true,
    check(object) {
      if (version !== storage) check(ownForm(object));
    },
    toHub(object, { signal }) {
      const custom = ownForm(object);
      return version === storage ? custom : converter.convert(custom, version, storage, signal);
    },
    fromHub(hub, { signal }) {
      if (isSame(hub)) return { ...hub, apiVersion: undefined };
      const { object, from } = sourceOf(hub);
      return converter.convert(object, from, version, signal);
    },
    sharesBody: (stored) => version === storage && !isMarked(stored),
    async fromHubs(hubs, scope) {
      const results: CustomObject[] = hubs.map((hub) => ({ ...hub, apiVersion: undefined }));
      const indexes = hubs.flatMap((hub, index) => (isSame(hub) ? [] : [index]));
      const sources = indexes.flatMap((index) => {
        const hub = hubs[index];
        return hub === undefined ? [] : [sourceOf(hub)];
      });
      const converted = await converter.convertAll(sources, version, scope);
      for (const [at, index] of indexes.entries()) {
        const object = converted[at];
        if (object !== undefined) results[index] = object;
      }
      return results;
    },
  };
}

/** The schemas of a definition's versions, parsed on first use. */
class SchemaSource {
  readonly #keepsEverything: boolean;
  readonly #parts: CustomResourceParts;
  readonly #weights = new Map<string, number>();
  readonly #checksPerByte = new Map<string, number>();
  readonly #parsed = new Map<string, Reclaimable<{ readonly schema: StructuralSchema | undefined }>>();

  constructor(keepsEverything: boolean, parts: CustomResourceParts) {
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

  /** Parses a large schema, so that `of` need not: parts of some ten milliseconds each. Undefined where there is nothing to do. */
  preparation(version: string): readonly (() => void)[] | undefined {
    if (this.weightOf(version) <= parsedAtOnceMax || this.#ofVersion(version).known() !== undefined)
      return undefined;
    let schema: JsonObject | undefined;
    return [
      () => {
        schema = this.#parts.openApiSchema(version);
      },
      () => this.#ofVersion(version).set(this.#structural(schema)),
      () => void this.checksPerByteOf(version),
    ];
  }

  #ofVersion(version: string): Reclaimable<{ readonly schema: StructuralSchema | undefined }> {
    let parsed = this.#parsed.get(version);
    if (parsed === undefined) {
      parsed = new Reclaimable(() => this.#structural(this.#parts.openApiSchema(version)));
      this.#parsed.set(version, parsed);
    }
    return parsed;
  }

  /** The conversion None: changes the apiVersion and prunes by the version's schema. */
  identity(version: string, storage: string): LocalConversion<CustomObject> {
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
      toHub: (object) => object as CustomObject,
      fromHub: (hub) => {
        const schema = this.of(version);
        if (schema === undefined) return hub;
        return { ...pruneObject(jsonOf(hub), schema, true), metadata: hub.metadata };
      },
      sharesBody: isSame,
    };
  }

  #structural(schema: JsonObject | undefined): { readonly schema: StructuralSchema | undefined } {
    const { prefix, validation } = this.#parts;
    if (schema === undefined) return { schema };
    const parsed = parseStructuralSchema(schema, prefix, validation.level);
    return { schema: this.#keepsEverything ? { ...parsed, preservesUnknown: true } : parsed };
  }
}

const noText = Buffer.alloc(0);
/** The weight of a schema that takes some ten milliseconds to parse. */
const parsedAtOnceMax = 128 * 1024;

function customVersion(
  { name, additionalPrinterColumns }: CustomResourceDefinitionVersion,
  schemas: SchemaSource,
  codecs: ReadonlyMap<string, CustomCodec>,
): VersionDefinition<CustomObject> {
  const schema = () => schemas.of(name);
  return {
    version: name,
    // All objects of the kind come from this codec.
    codec: codecs.get(name) as unknown as Codec<ApiObject>,
    hasProtobuf: false,
    enabledByDefault: true,
    structuralSchema: schema,
    schemaWeight: () => schemas.weightOf(name),
    checksPerByte: () => schemas.checksPerByteOf(name),
    preparation: () => schemas.preparation(name),
    setDefaults(object) {
      const found = schema();
      if (found !== undefined) setDefaults(jsonOf(object), found);
    },
    conversion: { hub: true },
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
  storedSchema: () => StructuralSchema | undefined,
): SubresourceDefinition<CustomObject>[] {
  const { subresources } = version ?? {};
  return [
    ...(subresources?.status === undefined
      ? []
      : [{ kind: "part", name: "status", verbs: partVerbs, strategy: status } as const]),
    ...(subresources?.scale === undefined
      ? []
      : [
          {
            kind: "scale",
            name: "scale",
            verbs: partVerbs,
            scale: customScale(subresources.scale, storedSchema),
          } as const,
        ]),
  ];
}

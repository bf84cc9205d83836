import { findErrors } from "../../../apimachinery/errors/field-error.js";
import { invalidObject } from "../../../apimachinery/errors/status.js";
import { isAtLeast, minorOf } from "../../../apimachinery/levels/api-level.js";
import { type ApiObject, apiVersionOf, type ObjectMeta } from "../../../apimachinery/objects/meta.js";
import type { Codec, MessageCodec } from "../../../apimachinery/schema/codec.js";
import { setDefaults } from "../../../apimachinery/structural-schema/set-defaults.js";
import type { StructuralSchema } from "../../../apimachinery/structural-schema/structural-schema.js";
import type { ObjectCodec } from "../../../storage/object-store.js";
import { partVerbs } from "../../definition/define-resource.js";
import type {
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
import { customColumns } from "./columns.js";
import { Converter, type ConvertRemotely, versionMarkOf } from "./converter.js";
import { CustomCodec } from "./custom-codec.js";
import { type CustomObject, jsonOf } from "./custom-object.js";
import { remoteConversion } from "./remote-conversion.js";
import { customScale } from "./scale.js";
import type { CustomValidation } from "./schema-errors.js";
import { type SchemaParts, SchemaSource } from "./schema-source.js";
import { customSelectableFields, customSelectableNames } from "./selectable-fields.js";
import { unconvertedForm } from "./stored-form.js";
import { customStrategies, type VersionRules } from "./strategy.js";

export interface CustomResourceParts extends Omit<SchemaParts, "level"> {
  readonly metaCodec: MessageCodec<ObjectMeta>;
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
  const { plural, singular = "", kind, listKind, shortNames = [], categories = [] } = status.acceptedNames;
  const declared = spec.versions ?? [];
  const storage = storageVersionName(spec) ?? "";
  const schemas = new SchemaSource(spec.preserveUnknownFields === true, {
    ...parts,
    level: parts.validation.level,
  });
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
      // Objects that a webhook converts have been validated in their own version.
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
        mayOmitKeys: isAtLeast(parts.validation.level, "1.34"),
      }),
    ]),
  );
  const allFields = new CustomCodec({ metaCodec: parts.metaCodec, schema: () => undefined });
  const converter = parts.convert && new Converter({ group, kind, codecs, convert: parts.convert });
  const subresourcesOf = (version: CustomResourceDefinitionVersion | undefined) =>
    customSubresources(version, strategies.status, storedSchema);
  const stored = declared.find(({ name }) => name === storage);
  const selectableFields = customSelectableFields(
    converter === undefined ? declared : stored ? [stored] : [],
  );
  const hub = declared
    .filter(({ name }) => name === storage)
    .map((version) => customVersion({ group, kind }, version, schemas, codecs));
  const resource: ResourceDefinition<CustomObject> = {
    ...(converter !== undefined && { hub: hub[0] }),
    level: parts.validation.level,
    group,
    resource: plural,
    singular,
    kind,
    listKind: listKind || undefined,
    namespaced: spec.scope === "Namespaced",
    shortNames,
    categories,
    verbs: customVerbs,
    versions: declared.map((version) => ({
      ...customVersion({ group, kind }, version, schemas, codecs),
      ...(version.name !== storage &&
        converter === undefined && { conversion: schemas.identity(version.name, storage, allFields) }),
      ...(converter !== undefined && {
        conversion: {
          ...remoteConversion(converter, version.name, storage, (object) => {
            const { errors, isCut } = findErrors(
              () => strategies.validateAt(rules.get(version.name), object),
              minorOf(parts.validation.level),
            );
            const { name = "" } = object.metadata;
            if (errors.length > 0) throw invalidObject({ group, kind }, name, errors, isCut);
          }),
          ...(version.name !== storage && { selectableFields: customSelectableFields([version]) }),
        },
      }),
      subresources: subresourcesOf(converter !== undefined && version.subresources?.scale ? stored : version),
      selectableFields: customSelectableNames(version),
    })),
    storage: { version: storage, prefix: `/${group}/${plural}` },
    strategy: strategies.main,
    subresources: subresourcesOf(stored),
    selectableFields,
    columns: customColumns(stored?.additionalPrinterColumns, {
      apiVersion: apiVersionOf({ group, version: storage }),
      kind,
    }),
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

function customVersion(
  { group, kind }: { readonly group: string; readonly kind: string },
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
    setDefaults(object, keepsNulls) {
      const found = schema();
      if (found !== undefined) setDefaults(jsonOf(object), found, keepsNulls);
    },
    conversion: { hub: true },
    columns: customColumns(additionalPrinterColumns, {
      apiVersion: apiVersionOf({ group, version: name }),
      kind,
    }),
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

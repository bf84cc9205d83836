import { findErrors } from "../../../apimachinery/errors/field-error.js";
import { invalidObject } from "../../../apimachinery/errors/status.js";
import { minorOf } from "../../../apimachinery/levels/api-level.js";
import { type ApiObject, apiVersionOf } from "../../../apimachinery/objects/meta.js";
import type { Codec } from "../../../apimachinery/schema/codec.js";
import { setDefaults } from "../../../apimachinery/structural-schema/set-defaults.js";
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
import { customColumns } from "./columns.js";
import { type Converter, versionMarkOf } from "./converter.js";
import { type CustomKind, type CustomKindParts, customKind } from "./custom-kind.js";
import { type CustomObject, jsonOf } from "./custom-object.js";
import { type CheckInVersion, remoteConversion } from "./remote-conversion.js";
import { customScale } from "./scale.js";
import type { Before } from "./schema-errors.js";
import { customSelectableFields, customSelectableNames } from "./selectable-fields.js";
import { unconvertedForm } from "./stored-form.js";

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
export function customResource(definition: CustomResourceDefinition, parts: CustomKindParts): CustomResource {
  const custom = customKind(definition, parts);
  if (custom.converter === undefined) {
    return { definition: prunedResource(definition, custom), codec: undefined, toStorageVersion: undefined };
  }
  const { converter, storage } = custom;
  const resource = convertedResource(definition, custom, converter);
  return {
    definition: resource,
    codec: convertedForm(custom, resource),
    async toStorageVersion(object, signal) {
      const from = versionMarkOf(object);
      return from === undefined ? object : await converter.convert(object, from, storage, signal);
    },
  };
}

/** With conversion None: versions differ in their apiVersion, and in what their schemas prune. */
function prunedResource(
  definition: CustomResourceDefinition,
  custom: CustomKind,
): ResourceDefinition<CustomObject> {
  const { schemas, storage, allFields } = custom;
  const versions = definition.spec.versions ?? [];
  return {
    ...commonParts(definition, custom),
    versions: versions.map((version) => ({
      ...versionDefinition(custom, version),
      ...(version.name !== storage && { conversion: schemas.identity(version.name, storage, allFields) }),
      subresources: customSubresources(custom, version),
      selectableFields: customSelectableNames(version),
    })),
    selectableFields: customSelectableFields(versions),
  };
}

/** With a conversion webhook: version-dependent work happens in the version of the request. */
function convertedResource(
  definition: CustomResourceDefinition,
  custom: CustomKind,
  converter: Converter,
): ResourceDefinition<CustomObject> {
  const { storage } = custom;
  const versions = definition.spec.versions ?? [];
  const stored = versions.find(({ name }) => name === storage);
  return {
    ...commonParts(definition, custom),
    hub: stored && versionDefinition(custom, stored),
    versions: versions.map((version) => {
      const { name, subresources } = version;
      return {
        ...versionDefinition(custom, version),
        conversion: {
          ...remoteConversion(converter, name, storage, checkInVersion(custom, name)),
          ...(name !== storage && { selectableFields: customSelectableFields([version]) }),
        },
        // A scale reads and writes the hub's object, whose paths are those of the storage version.
        subresources: customSubresources(custom, subresources?.scale ? stored : version),
        selectableFields: customSelectableNames(version),
      };
    }),
    selectableFields: customSelectableFields(stored ? [stored] : []),
  };
}

function commonParts(
  { spec, status }: CustomResourceDefinition,
  custom: CustomKind,
): Omit<ResourceDefinition<CustomObject>, "versions" | "selectableFields"> {
  const { group, kind, storage, strategies, validation } = custom;
  const { plural, singular = "", listKind, shortNames = [], categories = [] } = status.acceptedNames;
  const stored = spec.versions?.find(({ name }) => name === storage);
  return {
    level: validation.level,
    group,
    resource: plural,
    singular,
    kind,
    listKind: listKind || undefined,
    namespaced: spec.scope === "Namespaced",
    shortNames,
    categories,
    verbs: customVerbs,
    storage: { version: storage, prefix: `/${group}/${plural}` },
    strategy: strategies.main,
    subresources: customSubresources(custom, stored),
    columns: customColumns(stored?.additionalPrinterColumns, {
      apiVersion: apiVersionOf({ group, version: storage }),
      kind,
    }),
  };
}

function versionDefinition(
  { group, kind, schemas, codecs }: CustomKind,
  { name, additionalPrinterColumns }: CustomResourceDefinitionVersion,
): VersionDefinition<CustomObject> {
  return {
    version: name,
    // All objects of the kind come from this codec.
    codec: codecs.get(name) as unknown as Codec<ApiObject>,
    hasProtobuf: false,
    enabledByDefault: true,
    structuralSchema: () => schemas.of(name),
    schemaWeight: () => schemas.weightOf(name),
    checksPerByte: () => schemas.checksPerByteOf(name),
    preparation: () => schemas.preparation(name),
    setDefaults(object, keepsNulls) {
      const schema = schemas.of(name);
      if (schema !== undefined) setDefaults(jsonOf(object), schema, keepsNulls);
    },
    conversion: { hub: true },
    columns: customColumns(additionalPrinterColumns, {
      apiVersion: apiVersionOf({ group, version: name }),
      kind,
    }),
  };
}

function customSubresources(
  { strategies, schemas, storage }: CustomKind,
  version: CustomResourceDefinitionVersion | undefined,
): SubresourceDefinition<CustomObject>[] {
  const { status, scale } = version?.subresources ?? {};
  const found: SubresourceDefinition<CustomObject>[] = [];
  if (status !== undefined) {
    found.push({ kind: "part", name: "status", verbs: partVerbs, strategy: strategies.status });
  }
  if (scale !== undefined) {
    const ofObject = customScale(scale, () => schemas.of(storage));
    found.push({ kind: "scale", name: "scale", verbs: partVerbs, scale: ofObject });
  }
  return found;
}

/** Checks objects of the version as a write in it does. */
function checkInVersion(
  { group, kind, codecs, rules, schemas, strategies, validation }: CustomKind,
  version: string,
): CheckInVersion {
  const shown = (stored: CustomObject): CustomObject => {
    const object = codecs.get(version)?.clone(stored) ?? stored;
    const schema = schemas.of(version);
    if (schema !== undefined) setDefaults(jsonOf(object), schema);
    return object;
  };
  return (object, scope, replaced) => {
    const before: Before | undefined = replaced && {
      old: shown(replaced.old),
      part: replaced.part === strategies.status ? "status" : "all",
      warn: (text) => scope.warn?.(text),
    };
    const { errors, isCut } = findErrors(
      () => strategies.validateAt(rules.get(version), withName(object), before),
      minorOf(validation.level),
    );
    const { name = "" } = object.metadata;
    if (errors.length > 0) throw invalidObject({ group, kind }, name, errors, isCut);
  };
}

/** Names are generated only after this check, which therefore sees a placeholder of the same form. */
function withName(object: CustomObject): CustomObject {
  const { name = "", generateName = "" } = object.metadata;
  if (name !== "" || generateName === "") return object;
  return { ...object, metadata: { ...object.metadata, name: `${generateName}xxxxx` } };
}

/** The stored form of objects that are converted only when they are read. */
function convertedForm(
  { group, kind, storage, codecs, schemas }: CustomKind,
  { namespaced, selectableFields }: ResourceDefinition<CustomObject>,
): ObjectCodec<CustomObject> {
  return {
    ...unconvertedForm({
      group,
      kind,
      namespaced,
      storage,
      codecs,
      setDefaults(object, version) {
        const schema = schemas.of(version);
        if (schema !== undefined) setDefaults(jsonOf(object), schema);
      },
      selectableFields,
    }),
    preparation: () => schemas.preparation(storage),
  };
}

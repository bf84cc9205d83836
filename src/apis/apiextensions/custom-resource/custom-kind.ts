import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ObjectMeta } from "../../../apimachinery/objects/meta.js";
import type { MessageCodec } from "../../../apimachinery/schema/codec.js";
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from "../../gen/apiextensions-v1.js";
import { storageVersionName } from "../custom-resource-definition/stored-versions.js";
import { Converter, type ConvertRemotely } from "./converter.js";
import { CustomCodec } from "./custom-codec.js";
import type { CustomValidation } from "./schema-errors.js";
import { type SchemaParts, SchemaSource } from "./schema-source.js";
import { type CustomStrategies, customStrategies, type VersionRules } from "./strategy.js";

export interface CustomKindParts extends Omit<SchemaParts, "level"> {
  readonly metaCodec: MessageCodec<ObjectMeta>;
  /** Calls the definition's conversion webhook; undefined for conversion None. */
  readonly convert?: ConvertRemotely | undefined;
  readonly validation: CustomValidation;
}

/** What all versions of a custom resource share. Keeps nothing large of the definition in memory. */
export interface CustomKind {
  readonly group: string;
  readonly kind: string;
  /** The version in which objects are stored. */
  readonly storage: string;
  readonly validation: CustomValidation;
  readonly schemas: SchemaSource;
  /** By version. */
  readonly codecs: ReadonlyMap<string, CustomCodec>;
  /** Keeps every field, whatever the schemas say. */
  readonly allFields: CustomCodec;
  /** By version. */
  readonly rules: ReadonlyMap<string, VersionRules>;
  readonly strategies: CustomStrategies;
  /** Undefined for conversion None. */
  readonly converter: Converter | undefined;
}

export function customKind({ spec, status }: CustomResourceDefinition, parts: CustomKindParts): CustomKind {
  const { metaCodec, convert, validation } = parts;
  const { level } = validation;
  const { group } = spec;
  const { plural, kind } = status.acceptedNames;
  const versions = spec.versions ?? [];
  const storage = storageVersionName(spec) ?? "";
  const schemas = new SchemaSource(spec.preserveUnknownFields === true, { ...parts, level });
  const rules = new Map(versions.map((version) => [version.name, rulesOf(version, schemas)]));
  const strategies = customStrategies({
    group,
    kind,
    metaCodec,
    validation,
    storageVersion: storage,
    storedSchema: () => schemas.of(storage),
    hasStatus: versions.some(({ subresources }) => subresources?.status !== undefined),
    // A scale is written in the stored version.
    isChecked: ({ version = storage, subresource }) =>
      convert !== undefined && version !== storage && subresource !== "scale",
    rulesOf: ({ version = storage }) => {
      // Objects that a webhook converts have been validated in their own version.
      const found = (convert === undefined ? rules.get(version) : undefined) ?? rules.get(storage);
      if (found === undefined) throw new Error(`${plural}.${group} has no version ${version}`);
      return found;
    },
  });
  const mayOmitKeys = isAtLeast(level, "1.34");
  const reportsMetadata = isAtLeast(level, "1.25");
  const codecs = new Map(
    versions.map(({ name }) => [
      name,
      new CustomCodec({ metaCodec, schema: () => schemas.of(name), mayOmitKeys, reportsMetadata }),
    ]),
  );
  return {
    group,
    kind,
    storage,
    validation,
    schemas,
    codecs,
    allFields: new CustomCodec({ metaCodec, schema: () => undefined }),
    rules,
    strategies,
    converter: convert && new Converter({ group, kind, codecs, convert }),
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

import { append } from "../../../apimachinery/collections/append.js";
import { hasErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { PrintedValue, quotedShortened } from "../../../apimachinery/errors/printed-value.js";
import { isJsonObject } from "../../../apimachinery/json/json-value.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { parseStructuralSchema } from "../../../apimachinery/structural-schema/parse-schema.js";
import { isDns1035Label } from "../../../apimachinery/validation/dns-names.js";
import { byteLength } from "../../../apimachinery/validation/messages.js";
import type {
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  CustomResourceValidation,
  JSONSchemaProps,
} from "../../gen/apiextensions-v1.js";
import { defaultErrors } from "../schema/default-validation.js";
import { validateOpenApiSchema } from "../schema/openapi-validation.js";
import { printSchema } from "../schema/printed-schema.js";
import { ruleExpressionErrors } from "../schema/rule-validation.js";
import { extensionsOf } from "../schema/schema-extensions.js";
import { structuralErrors } from "../schema/structural-validation.js";
import type { CommonParts } from "./common-parts.js";
import { columnErrors, subresourceErrors } from "./representation-validation.js";
import { hasSchema, type SpecRules } from "./rules.js";
import { selectableFieldErrors } from "./selectable-fields-validation.js";

const specPath = FieldPath.of("spec");

export function missingSchemaErrors(spec: CustomResourceDefinitionSpec, rules: SpecRules): FieldError[] {
  const versions = spec.versions ?? [];
  const lacksSchema = ({ schema }: CustomResourceDefinitionVersion): boolean =>
    schema?.openAPIV3Schema === undefined;
  if (!versions.some(lacksSchema)) return [];
  const isRequired = rules.requires("schemas");
  if (!isRequired && spec.preserveUnknownFields === true) return [];
  const requiredWhy = hasErrorTextsOf(34) ? "" : "schemas are required";
  const why = isRequired ? requiredWhy : "because otherwise all fields are pruned";
  return versions.flatMap((version, index) => {
    if (!lacksSchema(version) || (!isRequired && !version.served)) return [];
    return [required(specPath.child("versions").index(index).child("schema", "openAPIV3Schema"), why)];
  });
}

/** Validates what differs between versions. */
export function versionErrors(
  spec: CustomResourceDefinitionSpec,
  common: CommonParts,
  rules: SpecRules,
  structural: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, version] of (spec.versions ?? []).entries()) {
    const path = specPath.child("versions").index(index);
    const { name, schema, subresources, additionalPrinterColumns = [], selectableFields = [] } = version;
    const problems = isDns1035Label(name);
    if (problems.length > 0) errors.push(invalid(path.child("name"), name, problems.join(",")));
    const { deprecationWarning: warning = "" } = version;
    for (const problem of warningProblems(version)) {
      const shown = new PrintedValue(() => quotedShortened(warning), warning);
      errors.push(invalid(path.child("deprecationWarning"), shown, problem));
    }
    if (common.schema === undefined) {
      const hasStatus = (common.subresources ?? subresources)?.status !== undefined;
      const at = path.child("schema");
      append(errors, schemaErrors(schema, { versionName: name, hasStatus, structural }, at, rules));
    }
    if (common.subresources === undefined) {
      append(errors, subresourceErrors(subresources, path.child("subresources")));
    }
    if (common.columns.length === 0) {
      append(errors, columnErrors(additionalPrinterColumns, path.child("additionalPrinterColumns")));
    }
    if (common.selectableFields.length === 0) {
      // Kubernetes has moved a schema that all versions share to the top of the spec, so it does not find these fields in it.
      const declared = common.schema === undefined ? schema?.openAPIV3Schema : undefined;
      const at = path.child("selectableFields");
      append(errors, selectableFieldErrors(selectableFields, declared, at, "version"));
    }
  }
  return errors;
}

export function commonErrors(
  spec: CustomResourceDefinitionSpec,
  common: CommonParts,
  rules: SpecRules,
  structural: boolean,
): FieldError[] {
  const hasStatus = (spec.versions ?? []).some(({ subresources }) => subresources?.status !== undefined);
  return [
    ...schemaErrors(
      common.schema,
      { versionName: spec.versions?.[0]?.name ?? "", hasStatus, structural },
      specPath.child("validation"),
      rules,
    ),
    ...subresourceErrors(common.subresources, specPath.child("subresources")),
    ...columnErrors(common.columns, specPath.child("additionalPrinterColumns")),
    ...selectableFieldErrors(
      common.selectableFields,
      common.schema?.openAPIV3Schema,
      specPath.child("selectableFields"),
      "spec",
    ),
  ];
}

/** Pruning, defaulting and the vendor extensions require a structural schema. */
export function requiresStructure(spec: CustomResourceDefinitionSpec, rules: SpecRules): boolean {
  if (spec.preserveUnknownFields !== true || rules.requires("structural")) return true;
  return hasSchema(spec, (schema) => {
    const extensions = extensionsOf(schema, rules.prefix);
    return (
      schema.default !== undefined ||
      extensions.embeddedResource ||
      extensions.intOrString ||
      extensions.preserveUnknownFields !== undefined ||
      extensions.listType !== undefined ||
      extensions.listMapKeys.length > 0 ||
      extensions.validations.length > 0
    );
  });
}

interface SchemaSurroundings {
  /** The version with the schema; the first one if all have it. */
  readonly versionName: string;
  readonly hasStatus: boolean;
  readonly structural: boolean;
}

function schemaErrors(
  validation: CustomResourceValidation | undefined,
  { versionName, hasStatus, structural }: SchemaSurroundings,
  path: FieldPath,
  rules: SpecRules,
): FieldError[] {
  const schema = validation?.openAPIV3Schema;
  if (schema === undefined) return [];
  const at = path.child("openAPIV3Schema");
  const errors = hasStatus ? rootErrors(schema, at, rules.prefix) : [];
  if (schema.nullable === true) {
    errors.push(forbidden(at.child("nullable"), "nullable cannot be true at the root"));
  }
  const ofRoot = [...errors];
  const findings = validateOpenApiSchema(schema, at, rules);
  append(errors, findings.errors);
  if (!structural) return errors;
  // Since 1.25, structural errors come before those of OpenAPI.
  const withFound = (found: readonly FieldError[]): FieldError[] =>
    isAtLeast(rules.level, "1.25") ? [...ofRoot, ...found, ...findings.errors] : [...errors, ...found];
  if (findings.isUnsupported) {
    // Every other unsupported part is already reported.
    if (errors.length === 0) errors.push(invalid(at, "", "OpenAPIV3Schema 'schema' is not supported"));
    return errors;
  }
  const structureErrors = structuralErrors(schema, at, rules);
  if (structureErrors.length > 0) return withFound(structureErrors);
  const json: unknown = schema;
  if ((!findings.hasDefaults && !findings.hasRules) || !isJsonObject(json)) return errors;
  const parsed = parseStructuralSchema(json, rules.prefix, rules.level);
  const badDefaults = defaultErrors(parsed, at, rules);
  if (badDefaults.length > 0) return withFound(badDefaults);
  const { prefix, environment } = rules;
  let allowed: boolean | undefined;
  const allowsCostlyRules = (): boolean => (allowed ??= rules.allowsCostlyRules(versionName, schema));
  const isInvalid = holdsErrors(findings.errors);
  append(errors, ruleExpressionErrors(parsed, at, { prefix, environment, allowsCostlyRules, isInvalid }));
  return errors;
}

/** Whether there is an error at a path or below. */
function holdsErrors(errors: readonly FieldError[]): (path: FieldPath) => boolean {
  if (errors.length === 0) return () => false;
  const paths = new Set<string>();
  for (const { field } of errors) {
    // If a path is known, so are its parents: a deep schema may have many errors at its bottom.
    for (let path = field; !paths.has(path); ) {
      paths.add(path);
      const end = Math.max(path.lastIndexOf("."), path.lastIndexOf("["));
      if (end < 0) break;
      path = path.slice(0, end);
    }
  }
  return (path) => paths.has(String(path));
}

/** In Kubernetes' words and order. */
const rootFields = [
  "Description",
  "Type",
  "Format",
  "Title",
  "Maximum",
  "ExclusiveMaximum",
  "Minimum",
  "ExclusiveMinimum",
  "MaxLength",
  "MinLength",
  "Pattern",
  "MaxItems",
  "MinItems",
  "UniqueItems",
  "MultipleOf",
  "Required",
  "Items",
  "Properties",
  "ExternalDocs",
  "Example",
  "XPreserveUnknownFields",
  "XValidations",
];

const earlyFields = ["id", "$schema", "$ref"];

/** The status is validated alone, against its own property, so restrictions at the root would not apply to it. */
function rootErrors(schema: JSONSchemaProps, path: FieldPath, prefix: string): FieldError[] {
  const given = Object.entries(schema).filter(([, value]) => isGiven(value));
  const strange = given.map(([name]) => name).filter((name) => !rootFields.includes(goName(name, prefix)));
  const { type = "" } = schema;
  const why = `only [${rootFields.join(" ")}] fields are allowed at the root of the schema if the status subresource is enabled`;
  if (strange.some((name) => earlyFields.includes(name)))
    return [invalid(path, printSchema(schema, prefix), why)];
  if (type !== "" && type !== "object") {
    const objectOnly =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [invalid(path.child("type"), type, objectOnly)];
  }
  return strange.length > 0 ? [invalid(path, printSchema(schema, prefix), why)] : [];
}

function goName(name: string, prefix: string): string {
  const words = name.startsWith(prefix) ? `x-${name.slice(prefix.length)}` : name;
  return words
    .split("-")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
}

function isGiven(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === false) return false;
  return !Array.isArray(value) || value.length > 0;
}

const warningBytesMax = 256;

function warningProblems({
  deprecated = false,
  deprecationWarning,
}: CustomResourceDefinitionVersion): string[] {
  if (deprecationWarning === undefined) return [];
  if (!deprecated) return ["can only be set for deprecated versions"];
  const problems: string[] = [];
  if (byteLength(deprecationWarning) > warningBytesMax) {
    problems.push(`must be <= ${warningBytesMax} characters long`);
  }
  if (deprecationWarning === "") problems.push("must not be an empty string");
  // The plain space is the only printable one.
  const unprintable = /[^ \p{L}\p{M}\p{N}\p{P}\p{S}]/u.exec(deprecationWarning);
  if (unprintable !== null) {
    const index = byteLength(deprecationWarning.slice(0, unprintable.index));
    problems.push(
      `must only contain printable UTF-8 characters; non-printable character found at index ${index}`,
    );
  }
  return problems;
}

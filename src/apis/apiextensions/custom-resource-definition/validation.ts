import { append } from "../../../apimachinery/collections/append.js";
import { hasErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import { type FieldError, FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import { printList } from "../../../apimachinery/errors/printed-structs.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import type { ReadMeta } from "../../../apimachinery/structural-schema/embedded-objects.js";
import { isDns1035Label, isDns1123Subdomain } from "../../../apimachinery/validation/dns-names.js";
import { type NameValidator, nameIsDnsSubdomain } from "../../../apimachinery/validation/object-name.js";
import type { Naming } from "../../../naming/naming.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionStatus,
} from "../../gen/apiextensions-v1.js";
import { apiextensionsV1Types } from "../v1/types.js";
import { validateApproval } from "./approval.js";
import { type CommonParts, commonParts } from "./common-parts.js";
import { validateConversion } from "./conversion-validation.js";
import { namesErrors } from "./names-validation.js";
import { printVersion, printVersions } from "./printed-versions.js";
import { hasSchema, SpecRules } from "./rules.js";
import { commonErrors, missingSchemaErrors, requiresStructure, versionErrors } from "./version-validation.js";

const specRules = fieldRules<CustomResourceDefinitionSpec>(
  apiextensionsV1Types,
  "CustomResourceDefinitionSpec",
);
const nameRules = fieldRules<CustomResourceDefinitionNames>(
  apiextensionsV1Types,
  "CustomResourceDefinitionNames",
);

/** What validation needs besides the object. */
export interface DefinitionValidationParts {
  readonly naming: Naming;
  readonly readMeta: ReadMeta;
  readonly level: ApiLevel;
  readonly oldestLevel?: ApiLevel | undefined;
}

/** The errors of a new definition, or with `old` of an update. */
export function definitionErrors(
  object: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  { naming, readMeta, level, oldestLevel }: DefinitionValidationParts,
): FieldError[] {
  const rules = new SpecRules({ prefix: naming.extensionPrefix, readMeta, level, oldestLevel }, old?.spec);
  let found: CommonParts | undefined;
  const common = (): CommonParts => (found ??= commonParts(object.spec.versions ?? []));
  return [
    // The server's own updates share the stored spec. Reading its schemas and compiling its patterns would take seconds.
    ...(object.spec === old?.spec ? [] : specErrors(object.spec, common(), rules)),
    ...(old === undefined ? [] : changeErrors(object, old)),
    ...statusErrors(object.status),
    ...storedVersionErrors(object, common, naming.extensionPrefix),
    ...validateApproval(object, old, naming),
    ...preserveErrors(object.spec, old?.spec, rules.prefix),
  ];
}

function changeErrors({ spec }: CustomResourceDefinition, old: CustomResourceDefinition): FieldError[] {
  const path = FieldPath.of("spec");
  const names = path.child("names");
  const isEstablished = (old.status.conditions ?? []).some(
    ({ type, status }) => type === "Established" && status === "True",
  );
  return [
    ...(isEstablished
      ? [
          ...specRules.unchanged(spec, old.spec, path, "scope"),
          ...nameRules.unchanged(spec.names, old.spec.names, names, "kind"),
        ]
      : []),
    ...specRules.unchanged(spec, old.spec, path, "group"),
    ...nameRules.unchanged(spec.names, old.spec.names, names, "plural"),
  ];
}

export function validateCustomResourceDefinitionStatus(object: CustomResourceDefinition): FieldError[] {
  return statusErrors(object.status);
}

/** Nothing can be generated: `generateName` has to be the whole name, too. */
export function definitionNames({ spec }: CustomResourceDefinition): NameValidator {
  const expected = `${spec.names.plural}.${spec.group}`;
  return (name, prefix) => [
    ...nameIsDnsSubdomain(name, prefix),
    ...(name === expected ? [] : ['must be spec.names.plural+"."+spec.group']),
  ];
}

function specErrors(spec: CustomResourceDefinitionSpec, common: CommonParts, rules: SpecRules): FieldError[] {
  const { prefix } = rules;
  const path = FieldPath.of("spec");
  const versions = spec.versions ?? [];
  const versionsPath = path.child("versions");
  const errors = specRules.check(spec, path, "group");
  const groupProblem = spec.group === "" ? undefined : problemOfGroup(spec.group);
  if (groupProblem !== undefined) errors.push(invalid(path.child("group"), spec.group, groupProblem));
  append(errors, specRules.check(spec, path, "scope"));
  append(errors, missingSchemaErrors(spec, rules));
  const hasDefault = (): boolean => hasSchema(spec, ({ default: value }) => value !== undefined);
  if (spec.preserveUnknownFields === true && hasDefault()) {
    const why = "must be false in order to use defaults in the schema";
    errors.push(invalid(path.child("preserveUnknownFields"), true, why));
  }
  const structural = requiresStructure(spec, rules);
  append(errors, versionErrors(spec, common, rules, structural));
  const names = versions.map(({ name }) => name);
  if (new Set(names).size < names.length) {
    errors.push(
      invalid(
        versionsPath,
        printVersions(spec.versions, common, prefix),
        "must contain unique version names",
      ),
    );
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    const why = "must have exactly one version marked as storage version";
    errors.push(invalid(versionsPath, printVersions(spec.versions, common, prefix), why));
  }
  // Kubernetes also reports the first version's name at its path in v1beta1.
  const [first] = names;
  if (first !== undefined && first !== "") {
    const problems = isDns1035Label(first);
    if (problems.length > 0) errors.push(invalid(path.child("version"), first, problems.join(",")));
  }
  append(errors, nameRules.check(spec.names, path.child("names"), "plural", "singular", "kind", "listKind"));
  append(errors, namesErrors(spec.names, path.child("names")));
  return [
    ...errors,
    ...commonErrors(spec, common, rules, structural),
    ...validateConversion(spec, rules, path.child("conversion")),
  ];
}

function statusErrors({ acceptedNames }: CustomResourceDefinitionStatus): FieldError[] {
  return namesErrors(acceptedNames, FieldPath.of("status", "acceptedNames"));
}

function storedVersionErrors(
  { spec, status }: CustomResourceDefinition,
  common: () => CommonParts,
  prefix: string,
): FieldError[] {
  const path = FieldPath.of("status", "storedVersions");
  const stored = status.storedVersions ?? [];
  const versions = spec.versions ?? [];
  if (stored.length === 0) {
    return [invalid(path, printList("string", undefined), "must have at least one stored version")];
  }
  const errors: FieldError[] = [];
  // As in Kubernetes, a repeated version counts as missing the second time.
  const left = new Set(stored);
  for (const version of versions) {
    if (!left.delete(version.name) && version.storage) {
      const shown = hasErrorTextsOf(29)
        ? printList("string", stored)
        : printVersion(version, common(), prefix);
      errors.push(invalid(path, shown, `must have the storage version ${version.name}`));
    }
  }
  const names = new Set(versions.map(({ name }) => name));
  for (const [index, name] of stored.entries()) {
    if (names.has(name)) continue;
    errors.push(invalid(path.index(index), name, lostVersion(name)));
  }
  return errors;
}

function lostVersion(name: string): string {
  if (!hasErrorTextsOf(33)) return "must appear in spec.versions";
  return `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
}

/** Only definitions from before schemas were required may preserve unknown fields. */
function preserveErrors(
  spec: CustomResourceDefinitionSpec,
  old: CustomResourceDefinitionSpec | undefined,
  prefix: string,
): FieldError[] {
  if (spec.preserveUnknownFields !== true || old?.preserveUnknownFields === true) return [];
  const field = `${hasErrorTextsOf(25) ? prefix : "x-"}preserve-unknown-fields`;
  const why = `cannot set to true, set ${field} to true in spec.versions[*].schema instead`;
  return [invalid(FieldPath.of("spec", "preserveUnknownFields"), true, why)];
}

function problemOfGroup(group: string): string | undefined {
  const problems = isDns1123Subdomain(group);
  if (problems.length > 0) return problems.join(",");
  return group.includes(".") ? undefined : "should be a domain with at least one dot";
}

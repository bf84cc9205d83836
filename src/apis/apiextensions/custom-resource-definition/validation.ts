import { append } from "../../../apimachinery/append.js";
import {
  type FieldError,
  FieldPath,
  hasErrors,
  invalid,
  required,
} from "../../../apimachinery/field-error.js";
import { printList } from "../../../apimachinery/printed-structs.js";
import { isDns1035Label, isDns1123Subdomain } from "../../../apimachinery/validation/dns-names.js";
import type { Naming } from "../../../naming/naming.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionStatus,
} from "../../gen/apiextensions-v1.js";
import { validateApproval } from "./approval.js";
import { validateConversion } from "./conversion-validation.js";
import { namesErrors } from "./names-validation.js";
import { hasSchema, newDefinitionRules, type SpecRules, updatedDefinitionRules } from "./rules.js";
import {
  commonErrors,
  commonParts,
  missingSchemaErrors,
  printVersion,
  printVersions,
  versionErrors,
} from "./version-validation.js";

const specRules = fieldRules<CustomResourceDefinitionSpec>("apiextensions/v1.CustomResourceDefinitionSpec");
const nameRules = fieldRules<CustomResourceDefinitionNames>("apiextensions/v1.CustomResourceDefinitionNames");

export function validateCustomResourceDefinition(
  object: CustomResourceDefinition,
  naming: Naming,
): FieldError[] {
  const rules = newDefinitionRules(naming.extensionPrefix);
  return [
    ...nameErrors(object),
    ...specErrors(object.spec, rules),
    ...statusErrors(object.status),
    ...storedVersionErrors(object),
    ...validateApproval(object, undefined, naming),
    ...preserveErrors(object.spec, undefined),
  ];
}

export function validateCustomResourceDefinitionUpdate(
  object: CustomResourceDefinition,
  old: CustomResourceDefinition,
  naming: Naming,
): FieldError[] {
  const { spec } = object;
  const prefix = naming.extensionPrefix;
  // What meets the rules for new definitions meets those for any other, which take long to find.
  const isGood = !hasErrors(() => specErrors(spec, newDefinitionRules(prefix)));
  const path = FieldPath.of("spec");
  const isEstablished = (old.status.conditions ?? []).some(
    ({ type, status }) => type === "Established" && status === "True",
  );
  const errors = isGood ? [] : specErrors(spec, updatedDefinitionRules(old.spec, prefix));
  if (isEstablished) {
    append(errors, [
      ...specRules.unchanged(spec, old.spec, path, "scope"),
      ...nameRules.unchanged(spec.names, old.spec.names, path.child("names"), "kind"),
    ]);
  }
  return [
    ...errors,
    ...specRules.unchanged(spec, old.spec, path, "group"),
    ...nameRules.unchanged(spec.names, old.spec.names, path.child("names"), "plural"),
    ...statusErrors(object.status),
    ...storedVersionErrors(object),
    ...validateApproval(object, old, naming),
    ...preserveErrors(spec, old.spec),
  ];
}

export function validateCustomResourceDefinitionStatus(object: CustomResourceDefinition): FieldError[] {
  return statusErrors(object.status);
}

function nameErrors({ metadata, spec }: CustomResourceDefinition): FieldError[] {
  const { name = "" } = metadata;
  if (name === "") return [];
  const problems = isDns1123Subdomain(name);
  if (name !== `${spec.names.plural}.${spec.group}`) {
    problems.push('must be spec.names.plural+"."+spec.group');
  }
  return problems.map((problem) => invalid(FieldPath.of("metadata", "name"), name, problem));
}

function specErrors(spec: CustomResourceDefinitionSpec, rules: SpecRules): FieldError[] {
  const path = FieldPath.of("spec");
  const versions = spec.versions ?? [];
  const versionsPath = path.child("versions");
  const errors: FieldError[] = [];
  const groupProblem = problemOfGroup(spec.group);
  if (spec.group === "") errors.push(required(path.child("group"), ""));
  else if (groupProblem !== undefined) errors.push(invalid(path.child("group"), spec.group, groupProblem));
  append(errors, specRules.check(spec, path, "scope"));
  const common = commonParts(versions);
  append(errors, missingSchemaErrors(spec, rules));
  if (spec.preserveUnknownFields === true && hasSchema(spec, ({ default: value }) => value !== undefined)) {
    const why = "must be false in order to use defaults in the schema";
    errors.push(invalid(path.child("preserveUnknownFields"), true, why));
  }
  append(errors, versionErrors(spec, common, rules));
  const names = versions.map(({ name }) => name);
  if (new Set(names).size < names.length) {
    errors.push(invalid(versionsPath, printVersions(versions, common), "must contain unique version names"));
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    const why = "must have exactly one version marked as storage version";
    errors.push(invalid(versionsPath, printVersions(versions, common), why));
  }
  // Kubernetes also checks the first version at its path in an older form.
  const [first] = names;
  if (first !== undefined && first !== "") {
    const problems = isDns1035Label(first);
    if (problems.length > 0) errors.push(invalid(path.child("version"), first, problems.join(",")));
  }
  for (const field of ["plural", "singular", "kind", "listKind"] as const) {
    if ((spec.names[field] ?? "") === "") errors.push(required(path.child("names", field), ""));
  }
  append(errors, namesErrors(spec.names, path.child("names")));
  return [
    ...errors,
    ...commonErrors(spec, common, rules),
    ...validateConversion(spec, rules.knownReviewVersion, path.child("conversion")),
  ];
}

function statusErrors({ acceptedNames }: CustomResourceDefinitionStatus): FieldError[] {
  return namesErrors(acceptedNames, FieldPath.of("status", "acceptedNames"));
}

function storedVersionErrors({ spec, status }: CustomResourceDefinition): FieldError[] {
  const path = FieldPath.of("status", "storedVersions");
  const stored = status.storedVersions ?? [];
  const versions = spec.versions ?? [];
  if (stored.length === 0) {
    return [invalid(path, printList("string", stored), "must have at least one stored version")];
  }
  const errors: FieldError[] = [];
  for (const version of versions) {
    if (version.storage && !stored.includes(version.name)) {
      errors.push(
        invalid(
          path,
          printVersion(version, commonParts(versions)),
          `must have the storage version ${version.name}`,
        ),
      );
    }
  }
  for (const [index, name] of stored.entries()) {
    if (versions.some((version) => version.name === name)) continue;
    errors.push(invalid(path.index(index), name, "must appear in spec.versions"));
  }
  return errors;
}

/** Only definitions stored before schemas were required may preserve unknown fields. */
function preserveErrors(
  spec: CustomResourceDefinitionSpec,
  old: CustomResourceDefinitionSpec | undefined,
): FieldError[] {
  if (spec.preserveUnknownFields !== true || old?.preserveUnknownFields === true) return [];
  const why = "cannot set to true, set x-preserve-unknown-fields to true in spec.versions[*].schema instead";
  return [invalid(FieldPath.of("spec", "preserveUnknownFields"), true, why)];
}

function problemOfGroup(group: string): string | undefined {
  const problems = isDns1123Subdomain(group);
  if (problems.length > 0) return problems.join(",");
  return group.includes(".") ? undefined : "should be a domain with at least one dot";
}

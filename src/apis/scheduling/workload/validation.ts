import { append } from "../../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  FieldPath,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { isDns1123Label } from "../../../apimachinery/validation/dns-names.js";
import { validateSet } from "../../checks/lists.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  PodGroupSchedulingPolicy,
  PodGroupTemplate,
  TypedLocalObjectReference,
  WorkloadSpec,
} from "../../gen/scheduling-v1alpha2.js";
import { validateUnchanged } from "../declared-checks.js";
import { validateGroup } from "../group-validation.js";
import { schedulingV1alpha2Types } from "../v1alpha2/types.js";

const groupsMax = 8;
const specRules = fieldRules<WorkloadSpec>(schedulingV1alpha2Types, "WorkloadSpec");
const templateRules = fieldRules<PodGroupTemplate>(schedulingV1alpha2Types, "PodGroupTemplate");
const ownerRules = fieldRules<TypedLocalObjectReference>(
  schedulingV1alpha2Types,
  "TypedLocalObjectReference",
);
const specPath = FieldPath.of("spec");
const ownerPath = specPath.child("controllerRef");

/** In v1alpha1, errors have the paths of groups, where the hub has templates. */
export function validateWorkload(spec: WorkloadSpec, level: ApiLevel): FieldError[] {
  const errors = spec.controllerRef === undefined ? [] : validateOwner(spec.controllerRef);
  const { podGroupTemplates: templates = [] } = spec;
  const isOld = !isAtLeast(level, "1.36");
  const path = specPath.child(isOld ? "podGroups" : "podGroupTemplates");
  append(errors, specRules.checkValue("podGroupTemplates", templates, path));
  if (templates.length > groupsMax) return errors;
  append(errors, isOld ? validateGroups(templates, path) : validateTemplates(templates, path));
  return errors;
}

export function validateWorkloadUpdate(spec: WorkloadSpec, old: WorkloadSpec, level: ApiLevel): FieldError[] {
  if (isAtLeast(level, "1.36")) {
    return (["controllerRef", "podGroupTemplates"] as const).flatMap((field) =>
      validateUnchanged(spec[field], old[field], specPath.child(field)),
    );
  }
  const errors = validateWorkload(spec, level);
  if (old.controllerRef !== undefined) {
    append(errors, specRules.unchanged(spec, old, FieldPath.root, "controllerRef"));
  }
  const { podGroupTemplates: groups } = spec;
  const path = FieldPath.of("podGroups");
  return [...errors, ...specRules.unchangedValue("podGroupTemplates", groups, old.podGroupTemplates, path)];
}

function validateOwner(owner: TypedLocalObjectReference): FieldError[] {
  return ownerRules.check(owner, ownerPath, "apiGroup", "kind", "name");
}

function validateTemplates(templates: readonly PodGroupTemplate[], path: FieldPath): FieldError[] {
  return validateSet(templates, path, groupsMax, {
    level: "1.36",
    key: { of: ({ name }) => name, print: (template) => template },
    validate: (template, at) => [
      ...templateRules.check(template, at, "name"),
      ...validateGroup(template, at),
    ],
  });
}

function validateGroups(groups: readonly PodGroupTemplate[], path: FieldPath): FieldError[] {
  const names = new Set<string>();
  const errors: FieldError[] = [];
  for (const [index, { name, schedulingPolicy }] of groups.entries()) {
    const at = path.index(index);
    for (const problem of isDns1123Label(name)) errors.push(invalid(at.child("name"), name, problem));
    if (names.has(name)) errors.push(duplicate(at.child("name"), name));
    names.add(name);
    append(errors, validatePolicy(schedulingPolicy, at.child("policy")));
  }
  return errors;
}

function validatePolicy({ basic, gang }: PodGroupSchedulingPolicy, path: FieldPath): FieldError[] {
  const one = "exactly one of `basic`, `gang` is required";
  if (basic !== undefined && gang !== undefined) {
    return [invalid(path, "{`basic`, `gang`}", `${one}, but multiple fields are set`)];
  }
  if (basic !== undefined) return [];
  if (gang === undefined) return [required(path, one)];
  if (gang.minCount > 0) return [];
  return [invalid(path.child("gang", "minCount"), gang.minCount, "must be greater than zero")];
}

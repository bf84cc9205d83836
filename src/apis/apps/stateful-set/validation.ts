import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { printStruct } from "../../../apimachinery/errors/printed-structs.js";
import { type ApiLevel, hasLevel } from "../../../apimachinery/levels/api-level.js";
import { validateAnnotations, validateLabels } from "../../../apimachinery/validation/labels.js";
import { isNegativeMessage } from "../../../apimachinery/validation/values.js";
import { validateAtMost100Percent, validatePositiveIntOrPercent } from "../../checks/int-or-percent.js";
import { printLabelSelector } from "../../checks/printed-values.js";
import { matcherOf, validateRequiredSelector, validateSelected } from "../../checks/selector-validation.js";
import { validateAtMost, validateCollisionCount, validateCounts } from "../../checks/status-counts.js";
import { validatePodAnnotations } from "../../core/pod-spec/annotation-validation.js";
import type { PodValidationOptions } from "../../core/pod-spec/validation-options.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  RollingUpdateStatefulSetStrategy,
  StatefulSet,
  StatefulSetPersistentVolumeClaimRetentionPolicy,
  StatefulSetSpec,
  StatefulSetUpdateStrategy,
} from "../../gen/apps-v1.js";
import { printUpdateStrategy } from "../printed-update-strategy.js";
import { validateRunsForever } from "../replica-set/validation.js";
import { appsV1Types } from "../v1/types.js";

const specPath = FieldPath.of("spec");
const specRules = fieldRules<StatefulSetSpec>(appsV1Types, "StatefulSetSpec");
const rollingRules = fieldRules<RollingUpdateStatefulSetStrategy>(
  appsV1Types,
  "RollingUpdateStatefulSetStrategy",
);
const retentionRules = fieldRules<StatefulSetPersistentVolumeClaimRetentionPolicy>(
  appsV1Types,
  "StatefulSetPersistentVolumeClaimRetentionPolicy",
);

export function validateStatefulSet({ spec }: StatefulSet, options: PodValidationOptions): FieldError[] {
  const { persistentVolumeClaimRetentionPolicy: retention, selector, template, ordinals } = spec;
  return [
    ...validateManagementPolicy(spec.podManagementPolicy ?? "", specPath.child("podManagementPolicy")),
    ...validateUpdateStrategy(spec.updateStrategy, specPath.child("updateStrategy")),
    ...(retention === undefined
      ? []
      : retentionRules.check(
          retention,
          specPath.child("persistentVolumeClaimRetentionPolicy"),
          "whenDeleted",
          "whenScaled",
        )),
    ...specRules.check(spec, specPath, "replicas"),
    ...(ordinals === undefined || ordinals.start === undefined || ordinals.start >= 0
      ? []
      : [invalid(specPath.child("ordinals", "start"), ordinals.start, isNegativeMessage)]),
    ...specRules.check(spec, specPath, "minReadySeconds"),
    ...validateRequiredSelector(selector, "statefulset", specPath.child("selector")),
    ...validateTemplate(spec, options),
    ...validateRunsForever(template, "StatefulSet", specPath.child("template")),
  ];
}

function validateManagementPolicy(policy: string, path: FieldPath): FieldError[] {
  if (policy === "") return [required(path, "")];
  if (specRules.supported("podManagementPolicy").includes(policy)) return [];
  return [invalid(path, policy, "must be 'OrderedReady' or 'Parallel'")];
}

function validateUpdateStrategy(strategy: StatefulSetUpdateStrategy, path: FieldPath): FieldError[] {
  const { type = "", rollingUpdate } = strategy;
  const rollingPath = path.child("rollingUpdate");
  const partition = rollingUpdate?.partition ?? 0;
  switch (type) {
    case "":
      return [required(path, "")];
    case "OnDelete": {
      if (rollingUpdate === undefined) return [];
      const printed = printStruct("apps.RollingUpdateStatefulSetStrategy", { Partition: partition });
      return [invalid(rollingPath, printed, "only allowed for updateStrategy 'RollingUpdate'")];
    }
    case "RollingUpdate":
      if (rollingUpdate === undefined) return [];
      return [
        ...rollingRules.check(rollingUpdate, rollingPath, "partition"),
        ...validateUnavailable(rollingUpdate.maxUnavailable, rollingPath.child("maxUnavailable")),
      ];
    default: {
      const names = ["StatefulSetUpdateStrategy", "RollingUpdateStatefulSetStrategy"] as const;
      return [
        invalid(path, printUpdateStrategy(...names, strategy), "must be 'RollingUpdate' or 'OnDelete'"),
      ];
    }
  }
}

function validateUnavailable(amount: number | string | undefined, path: FieldPath): FieldError[] {
  if (amount === undefined) return [];
  const errors = [...validatePositiveIntOrPercent(amount, path), ...validateAtMost100Percent(amount, path)];
  if (amount === 0 || amount === "0%") errors.push(invalid(path, amount, "cannot be 0"));
  return errors;
}

/** The pod's spec is not validated here: it may mount volumes that exist only once the claim templates are used. */
function validateTemplate(
  { selector, template }: StatefulSetSpec,
  options: PodValidationOptions,
): FieldError[] {
  const matcher = matcherOf(selector);
  if (matcher === undefined) return [invalid(specPath.child("selector"), printLabelSelector(selector), "")];
  const path = specPath.child("template");
  const { labels, annotations } = template.metadata;
  return [
    ...validateSelected(template, matcher, path),
    ...validateLabels(labels, path.child("labels")),
    ...validateAnnotations(annotations, path.child("annotations")),
    ...validatePodAnnotations(template, path.child("annotations"), options),
  ];
}

const mutableFields: readonly { readonly field: keyof StatefulSetSpec; readonly since?: ApiLevel }[] = [
  { field: "replicas" },
  { field: "ordinals", since: "1.26" },
  { field: "template" },
  { field: "updateStrategy" },
  { field: "revisionHistoryLimit", since: "1.33" },
  { field: "persistentVolumeClaimRetentionPolicy" },
  { field: "minReadySeconds" },
];

function listed(fields: readonly { readonly field: string }[]): string {
  const names = fields.map(({ field }) => `'${field}'`);
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

export function validateStatefulSetUpdate(
  object: StatefulSet,
  old: StatefulSet,
  options: PodValidationOptions,
): FieldError[] {
  const errors = validateStatefulSet(object, options);
  const mutable = mutableFields.filter(({ since }) => hasLevel({ since }, options.level));
  const allowed = Object.fromEntries(mutable.map(({ field }) => [field, old.spec[field]]));
  if (!isDeepEqual({ ...object.spec, ...allowed }, old.spec)) {
    errors.push(
      forbidden(
        specPath,
        `updates to statefulset spec for fields other than ${listed(mutable)} are forbidden`,
      ),
    );
  }
  // A second time, as in Kubernetes.
  return [...errors, ...specRules.check(object.spec, specPath, "replicas")];
}

export function validateStatefulSetStatusUpdate({ status }: StatefulSet, old: StatefulSet): FieldError[] {
  const path = FieldPath.of("status");
  const { replicas, observedGeneration, collisionCount } = status;
  const { readyReplicas, currentReplicas, updatedReplicas, availableReplicas } = status;
  const parts = { readyReplicas, currentReplicas, updatedReplicas, availableReplicas };
  return [
    ...validateCounts({ replicas, ...parts, observedGeneration, collisionCount }, path),
    ...validateAtMost(replicas, parts, "cannot be greater than status.replicas", path),
    ...validateAtMost(
      readyReplicas,
      { availableReplicas },
      "cannot be greater than status.readyReplicas",
      path,
    ),
    ...validateCollisionCount(status, old.status, path),
  ];
}

import { append } from "../../../apimachinery/collections/append.js";
import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import {
  type FieldError,
  FieldPath,
  forbidden,
  hasErrors,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { type Printable, printPointer, printStruct } from "../../../apimachinery/errors/printed-structs.js";
import { type ApiLevel, hasLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { validateAnnotations, validateLabels } from "../../../apimachinery/validation/labels.js";
import {
  magnitudeOf,
  validateAtMost100Percent,
  validatePositiveIntOrPercent,
} from "../../checks/int-or-percent.js";
import { printIntOrString, printLabelSelector } from "../../checks/printed-values.js";
import { matcherOf, validateRequiredSelector, validateSelected } from "../../checks/selector-validation.js";
import { validateAtMost, validateCollisionCount } from "../../checks/status-counts.js";
import { validatePersistentVolumeClaimSpec } from "../../core/persistent-volume-claim/validation.js";
import { validatePodAnnotations } from "../../core/pod-spec/annotation-validation.js";
import { validatePodTemplateSpec } from "../../core/pod-spec/validation.js";
import type { PodValidationOptions } from "../../core/pod-spec/validation-options.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  RollingUpdateStatefulSetStrategy,
  StatefulSet,
  StatefulSetOrdinals,
  StatefulSetPersistentVolumeClaimRetentionPolicy,
  StatefulSetSpec,
  StatefulSetStatus,
  StatefulSetUpdateStrategy,
} from "../../gen/apps-v1.js";
import type { PersistentVolumeClaim, PodTemplateSpec } from "../../gen/core-v1.js";
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
const statusRules = fieldRules<StatefulSetStatus>(appsV1Types, "StatefulSetStatus");
const ordinalsRules = fieldRules<StatefulSetOrdinals>(appsV1Types, "StatefulSetOrdinals");

/** What an update may keep of the old object. */
interface Allowances {
  readonly isUpdate: boolean;
  /** Whether to accept any pod spec: before 1.34, and if the stored template is invalid itself. */
  readonly anyTemplate: boolean;
}

export function validateStatefulSet(object: StatefulSet, options: PodValidationOptions): FieldError[] {
  return validateSpec(object, options, { isUpdate: false, anyTemplate: !isAtLeast(options.level, "1.34") });
}

function validateClaims(
  claims: readonly PersistentVolumeClaim[],
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  return errorsOfEach(claims, ({ spec }, index) =>
    validatePersistentVolumeClaimSpec(spec, options, path.index(index).child("spec")),
  );
}

function validateSpec(
  { spec }: StatefulSet,
  options: PodValidationOptions,
  { isUpdate, anyTemplate }: Allowances,
): FieldError[] {
  const { persistentVolumeClaimRetentionPolicy: retention, selector, template, ordinals } = spec;
  const checksService = !isUpdate && isAtLeast(options.level, "1.33");
  return [
    ...validateManagementPolicy(spec.podManagementPolicy ?? "", specPath.child("podManagementPolicy")),
    ...validateUpdateStrategy(spec.updateStrategy, specPath.child("updateStrategy"), options.level),
    ...(retention === undefined
      ? []
      : retentionRules.check(
          retention,
          specPath.child("persistentVolumeClaimRetentionPolicy"),
          "whenDeleted",
          "whenScaled",
        )),
    ...specRules.check(spec, specPath, "replicas"),
    ...(ordinals === undefined ? [] : ordinalsRules.check(ordinals, specPath.child("ordinals"), "start")),
    ...specRules.check(spec, specPath, "minReadySeconds"),
    ...(checksService ? specRules.at(options.level).check(spec, specPath, "serviceName") : []),
    ...(isUpdate || !isAtLeast(options.level, "1.34")
      ? []
      : validateClaims(spec.volumeClaimTemplates ?? [], specPath.child("volumeClaimTemplates"), options)),
    ...validateRequiredSelector(selector, "statefulset", specPath.child("selector"), options.level),
    ...validateTemplate(spec, options, anyTemplate),
    ...validateRunsForever(template, "StatefulSet", specPath.child("template")),
  ];
}

function validateManagementPolicy(policy: string, path: FieldPath): FieldError[] {
  if (policy === "") return [required(path, "")];
  if (specRules.supported("podManagementPolicy").includes(policy)) return [];
  return [invalid(path, policy, "must be 'OrderedReady' or 'Parallel'")];
}

function printRolling(
  { partition = 0, maxUnavailable }: RollingUpdateStatefulSetStrategy,
  level: ApiLevel,
): Readonly<Record<string, Printable>> {
  if (!isAtLeast(level, "1.24")) return { Partition: partition };
  const amount = maxUnavailable === undefined ? undefined : printIntOrString(maxUnavailable);
  return { Partition: partition, MaxUnavailable: printPointer("intstr.IntOrString", amount) };
}

function validateUpdateStrategy(
  strategy: StatefulSetUpdateStrategy,
  path: FieldPath,
  level: ApiLevel,
): FieldError[] {
  const { type = "", rollingUpdate } = strategy;
  const rollingPath = path.child("rollingUpdate");
  switch (type) {
    case "":
      return [required(path, "")];
    case "OnDelete": {
      if (rollingUpdate === undefined) return [];
      const printed = printStruct(
        "apps.RollingUpdateStatefulSetStrategy",
        printRolling(rollingUpdate, level),
      );
      return [invalid(rollingPath, printed, "only allowed for updateStrategy 'RollingUpdate'")];
    }
    case "RollingUpdate":
      if (rollingUpdate === undefined) return [];
      return [
        ...rollingRules.check(rollingUpdate, rollingPath, "partition"),
        ...validateUnavailable(rollingUpdate.maxUnavailable, rollingPath.child("maxUnavailable")),
      ];
    default: {
      const printed = printUpdateStrategy("StatefulSetUpdateStrategy", type, {
        name: "RollingUpdateStatefulSetStrategy",
        fields: rollingUpdate === undefined ? undefined : printRolling(rollingUpdate, level),
      });
      return [invalid(path, printed, "must be 'RollingUpdate' or 'OnDelete'")];
    }
  }
}

function validateUnavailable(amount: number | string | undefined, path: FieldPath): FieldError[] {
  if (amount === undefined) return [];
  const errors = validatePositiveIntOrPercent(amount, path);
  // Text that is neither a number nor a percentage counts as zero.
  if (magnitudeOf(amount) === 0) errors.push(invalid(path, printIntOrString(amount), "cannot be 0"));
  return [...errors, ...validateAtMost100Percent(amount, path)];
}

/** Before 1.34, the pod's spec is not validated. */
function validateTemplate(
  spec: StatefulSetSpec,
  options: PodValidationOptions,
  anyTemplate: boolean,
): FieldError[] {
  const { selector, template } = spec;
  const matcher = matcherOf(selector);
  if (matcher === undefined) return [invalid(specPath.child("selector"), printLabelSelector(selector), "")];
  const path = specPath.child("template");
  const { labels, annotations } = template.metadata;
  return [
    ...validateSelected(template, matcher, path),
    ...(anyTemplate ? [] : validatePodTemplateSpec(templateOfPods(spec), path, options)),
    ...validateLabels(labels, path.child("labels")),
    ...validateAnnotations(annotations, path.child("annotations")),
    ...validatePodAnnotations(template, path.child("annotations"), options),
  ];
}

/** The template as pods get it: with a volume for each claim, without the name and host name that each pod gets. */
function templateOfPods({ template, volumeClaimTemplates = [] }: StatefulSetSpec): PodTemplateSpec {
  const { hostname: _hostname, subdomain: _subdomain, ...spec } = template.spec;
  if (volumeClaimTemplates.length === 0) return { ...template, spec };
  const claims = new Map(
    volumeClaimTemplates.map(({ metadata: { name = "" } }) => [name, { claimName: name }]),
  );
  const added = [...claims].map(([name, persistentVolumeClaim]) => ({ name, persistentVolumeClaim }));
  const others = (spec.volumes ?? []).filter(({ name }) => !claims.has(name));
  return { ...template, spec: { ...spec, volumes: [...added, ...others] } };
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
  const allowances = { isUpdate: true, anyTemplate: !isAtLeast(options.level, "1.34") };
  const anyTemplate = allowances.anyTemplate || hasErrors(() => validateSpec(old, options, allowances));
  const errors = validateSpec(object, options, { ...allowances, anyTemplate });
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
  // Before 1.25, Kubernetes checks them a second time.
  if (!isAtLeast(options.level, "1.25")) {
    append(errors, specRules.check(object.spec, specPath, "replicas", "minReadySeconds"));
  }
  return errors;
}

export function validateStatefulSetStatusUpdate(
  { status }: StatefulSet,
  old: StatefulSet,
  level: ApiLevel,
): FieldError[] {
  const path = FieldPath.of("status");
  const { replicas, readyReplicas, currentReplicas, updatedReplicas, availableReplicas } = status;
  const parts = { readyReplicas, currentReplicas, updatedReplicas, availableReplicas };
  return [
    ...statusRules.check(status, path, "replicas", "readyReplicas", "currentReplicas", "updatedReplicas"),
    ...statusRules.check(status, path, "availableReplicas", "observedGeneration", "collisionCount"),
    ...validateAtMost(replicas, parts, "cannot be greater than status.replicas", path),
    ...validateAtMost(
      readyReplicas,
      { availableReplicas },
      `cannot be greater than ${isAtLeast(level, "1.25") ? "status." : ""}readyReplicas`,
      path,
    ),
    ...validateCollisionCount(status, old.status, path),
  ];
}

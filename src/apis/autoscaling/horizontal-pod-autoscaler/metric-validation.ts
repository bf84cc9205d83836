import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { printQuantity } from "../../../apimachinery/errors/printed-quantity.js";
import { parseApiVersion } from "../../../apimachinery/objects/meta.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { Quantity } from "../../../apimachinery/values/quantity.js";
import type { Naming } from "../../../naming/naming.js";
import { validateContainerResourceName } from "../../checks/resource-name-validation.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  ContainerResourceMetricSource,
  CrossVersionObjectReference,
  ExternalMetricSource,
  MetricIdentifier,
  MetricSpec,
  MetricTarget,
  ObjectMetricSource,
  PodsMetricSource,
  ResourceMetricSource,
} from "../../gen/autoscaling-v2.js";
import { autoscalingV2Types } from "../v2/types.js";

const metricRules = fieldRules<MetricSpec>(autoscalingV2Types, "MetricSpec");
const targetRules = fieldRules<MetricTarget>(autoscalingV2Types, "MetricTarget");
const resourceRules = fieldRules<ResourceMetricSource>(autoscalingV2Types, "ResourceMetricSource");
const containerRules = fieldRules<ContainerResourceMetricSource>(
  autoscalingV2Types,
  "ContainerResourceMetricSource",
);
const identifierRules = fieldRules<MetricIdentifier>(autoscalingV2Types, "MetricIdentifier");
const referenceRules = fieldRules<CrossVersionObjectReference>(
  autoscalingV2Types,
  "CrossVersionObjectReference",
);

const sourceOfType: ReadonlyMap<string, SourceName> = new Map([
  ["Object", "object"],
  ["Pods", "pods"],
  ["Resource", "resource"],
  ["External", "external"],
  ["ContainerResource", "containerResource"],
]);

const sourceNames = ["object", "external", "pods", "resource", "containerResource"] as const;
type SourceName = (typeof sourceNames)[number];

/** "any" before 1.34, and if the old object has an invalid version. */
export type ReferencedVersions = "any" | "wellFormed" | "withGroup";

export interface MetricRules {
  /** Which apiVersions of the objects that metrics describe are valid. */
  readonly describedVersions: ReferencedVersions;
  /** Whether container metrics are enabled; only changes the text of an error. */
  readonly allowContainerMetrics: boolean;
  readonly naming: Naming;
}

export function validateMetrics(
  metrics: readonly MetricSpec[],
  minReplicas: number | undefined,
  path: FieldPath,
  rules: MetricRules,
): FieldError[] {
  const errors = errorsOfEach(metrics, (metric, index) => validateMetric(metric, path.index(index), rules));
  // Without pods, only object and external metrics have values.
  if (minReplicas === 0 && !metrics.some(({ type }) => type === "Object" || type === "External")) {
    const why = "must specify at least one Object or External metric to support scaling to zero replicas";
    errors.push(forbidden(path, why));
  }
  return errors;
}

function validateMetric(metric: MetricSpec, path: FieldPath, rules: MetricRules): FieldError[] {
  const { type } = metric;
  const typePath = path.child("type");
  const errors: FieldError[] = [];
  if (type === "") errors.push(required(typePath, "must specify a metric source type"));
  append(errors, metricRules.check(metric, path, "type"));

  const [first, ...more] = sourceNames.filter((name) => metric[name] !== undefined);
  if (first !== undefined) append(errors, validateSource(metric, first, path.child(first), rules));

  const expected = sourceOfType.get(type);
  // Reported a second time, as in Kubernetes.
  if (expected === undefined) append(errors, metricRules.check(metric, path, "type"));
  else if (metric[expected] === undefined) {
    const gate =
      expected === "containerResource" && !rules.allowContainerMetrics
        ? " (only allowed when HPAContainerMetrics feature is enabled)"
        : "";
    errors.push(
      required(path.child(expected), `must populate information for the given metric source${gate}`),
    );
  }
  if (first !== undefined && more.length > 0) {
    for (const name of [first, ...more].filter((present) => present !== expected)) {
      errors.push(forbidden(path.child(name), "must populate the given metric source only"));
    }
  }
  return errors;
}

function validateSource(
  metric: MetricSpec,
  name: SourceName,
  path: FieldPath,
  { describedVersions, naming }: MetricRules,
): FieldError[] {
  switch (name) {
    case "object":
      return metric.object === undefined ? [] : validateObject(metric.object, path, describedVersions);
    case "external":
      return metric.external === undefined ? [] : validateExternal(metric.external, path);
    case "pods":
      return metric.pods === undefined ? [] : validatePods(metric.pods, path);
    case "resource":
      return metric.resource === undefined ? [] : validateResource(metric.resource, path);
    case "containerResource":
      return metric.containerResource === undefined
        ? []
        : validateContainer(metric.containerResource, path, naming);
  }
}

function validateObject(
  { describedObject, metric, target }: ObjectMetricSource,
  path: FieldPath,
  versions: ReferencedVersions,
): FieldError[] {
  const targetPath = path.child("target");
  const errors = [
    ...validateReference(describedObject, path.child("describedObject"), versions),
    ...validateIdentifier(metric, path.child("metric")),
    ...validateTarget(target, targetPath),
  ];
  if (target.value === undefined && target.averageValue === undefined) {
    errors.push(required(targetPath.child("averageValue"), "must set either a target value or averageValue"));
  }
  return errors;
}

function validateExternal({ metric, target }: ExternalMetricSource, path: FieldPath): FieldError[] {
  const targetPath = path.child("target");
  const errors = [...validateIdentifier(metric, path.child("metric")), ...validateTarget(target, targetPath)];
  const { value, averageValue } = target;
  if (value === undefined && averageValue === undefined) {
    const why = "must set either a target value for metric or a per-pod target";
    errors.push(required(targetPath.child("averageValue"), why));
  }
  if (value !== undefined && averageValue !== undefined) {
    const why = "may not set both a target value for metric and a per-pod target";
    errors.push(forbidden(targetPath.child("value"), why));
  }
  return errors;
}

function validatePods({ metric, target }: PodsMetricSource, path: FieldPath): FieldError[] {
  const targetPath = path.child("target");
  const errors = [...validateIdentifier(metric, path.child("metric")), ...validateTarget(target, targetPath)];
  if (target.averageValue === undefined) {
    errors.push(required(targetPath.child("averageValue"), "must specify a positive target averageValue"));
  }
  return errors;
}

function validateResource(source: ResourceMetricSource, path: FieldPath): FieldError[] {
  return [
    ...resourceRules.check(source, path, "name"),
    ...validateResourceTarget(source.target, path.child("target")),
  ];
}

function validateContainer(
  source: ContainerResourceMetricSource,
  path: FieldPath,
  naming: Naming,
): FieldError[] {
  const { name } = source;
  return [
    ...(name === ""
      ? containerRules.check(source, path, "name")
      : validateContainerResourceName(name, path.child("name"), naming, (text) => text)),
    ...containerRules.check(source, path, "container"),
    ...validateResourceTarget(source.target, path.child("target")),
  ];
}

function validateResourceTarget(target: MetricTarget, path: FieldPath): FieldError[] {
  const errors = validateTarget(target, path);
  const { averageUtilization, averageValue } = target;
  if (averageUtilization === undefined && averageValue === undefined) {
    const why = "must set either a target raw value or a target utilization";
    errors.push(required(path.child("averageUtilization"), why));
  }
  if (averageUtilization !== undefined && averageValue !== undefined) {
    const why = "may not set both a target raw value and a target utilization";
    errors.push(forbidden(path.child("averageValue"), why));
  }
  return errors;
}

function validateTarget(target: MetricTarget, path: FieldPath): FieldError[] {
  const { type } = target;
  const errors: FieldError[] = [];
  if (type === "") errors.push(required(path.child("type"), "must specify a metric target type"));
  if (!targetRules.supported("type").includes(type)) {
    errors.push(invalid(path.child("type"), type, "must be either Utilization, Value, or AverageValue"));
  }
  for (const name of ["value", "averageValue"] as const) {
    const amount = target[name];
    if (amount === undefined || Quantity.parse(amount).sign() > 0) continue;
    errors.push(invalid(path.child(name), printQuantity(amount), "must be positive"));
  }
  return [...errors, ...targetRules.check(target, path, "averageUtilization")];
}

function validateIdentifier(metric: MetricIdentifier, path: FieldPath): FieldError[] {
  return identifierRules.check(metric, path, "name");
}

export function validateReference(
  reference: CrossVersionObjectReference,
  path: FieldPath,
  versions: ReferencedVersions,
): FieldError[] {
  const errors = referenceRules.check(reference, path, "kind", "name");
  const problem = apiVersionProblem(reference, versions);
  return problem === undefined
    ? errors
    : [...errors, invalid(path.child("apiVersion"), reference.apiVersion ?? "", problem)];
}

/** The problem of the apiVersion in a reference. */
export function apiVersionProblem(
  { apiVersion = "" }: CrossVersionObjectReference,
  versions: ReferencedVersions,
): string | undefined {
  if (versions === "any") return undefined;
  const parsed = parseApiVersion(apiVersion);
  if (parsed === undefined) return `unexpected GroupVersion string: ${apiVersion}`;
  return versions === "withGroup" && parsed.group === "" ? "apiVersion must specify API group" : undefined;
}

import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { FieldPath } from "../../apimachinery/errors/field-error.js";
import { aggregate } from "../../apimachinery/errors/shown-errors.js";
import { forbiddenError, internal, invalidObject } from "../../apimachinery/errors/status.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { placedContainers } from "../../apis/core/pod-spec/containers.js";
import type { CronJob } from "../../apis/gen/batch-v1.js";
import type { Namespace, Pod, PodSpec, PodTemplate, ReplicationController } from "../../apis/gen/core-v1.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { isNamespace } from "../matching/match.js";
import { checkOrder } from "../pod-security/check-order.js";
import { readPodSecurityConfiguration } from "../pod-security/configuration.js";
import { detailsText, reasonsText, violationsOf } from "../pod-security/evaluate.js";
import { areSame, isStricter, type LevelVersion, printLevelVersion } from "../pod-security/level.js";
import {
  exemptNamespaceWarning,
  type ParsedPolicy,
  type Policy,
  type PolicyLabels,
  policyOfLabels,
} from "../pod-security/policy.js";
import type { PluginContext } from "./plugin-context.js";

interface PodShape {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

/** Subresources that do not change a pod's permissions. */
const ignoredSubresources = [
  "exec",
  "attach",
  "binding",
  "eviction",
  "log",
  "portforward",
  "proxy",
  "status",
];
const podsToCheckMax = 3000;
const podsCheckMs = 1000;
const podsPerLook = 50;

type Context = Pick<
  PluginContext,
  "naming" | "namespaces" | "cluster" | "level" | "isEnabled" | "now" | "runWork" | "podSecurityObserver"
>;

/**
 * Enforces the levels in the labels of a namespace on its pods, and warns about the templates of workloads. Source: Kubernetes
 * documentation, "Pod Security Admission" and "Pod Security Standards".
 */
export function podSecurity(context: Context, configuration: unknown): AdmissionPlugin {
  const { naming, podSecurityObserver: observer } = context;
  const { defaults, exemptions } = readPodSecurityConfiguration(
    configuration,
    `pod-security.admission.config.${naming.groupDomain}`,
  );
  if (!context.isEnabled("PodSecurity")) return { operations: [] };
  const prefix = `pod-security.${naming.domain}/`;
  const policyLabels: PolicyLabels = { prefix, defaults, apiLevel: context.level };
  const templates = templateResources(naming);

  const parsed = new WeakMap<object, ParsedPolicy>();
  const policyOf = (labels: Readonly<Record<string, string>>): ParsedPolicy => {
    let policy = parsed.get(labels);
    if (policy === undefined) {
      policy = policyOfLabels(labels, policyLabels);
      parsed.set(labels, policy);
    }
    return policy;
  };
  const namespacePolicy = async (attributes: AdmissionAttributes): Promise<ParsedPolicy> => {
    const found = await context.namespaces.read(attributes.namespace);
    if (found === undefined) {
      observer.failed(true, attributes);
      throw internal(`failed to lookup namespace "${attributes.namespace}"`);
    }
    return policyOf(found.labels);
  };
  const trustsOwnUsers = context.isEnabled("UserNamespacesPodSecurityStandards");
  const check = (shape: PodShape, level: LevelVersion) =>
    violationsOf({ ...shape, naming, apiLevel: context.level, trustsOwnUsers }, level);
  const isExempt = ({ runtimeClassName = "" }: PodSpec): boolean =>
    exemptions.runtimeClasses.has(runtimeClassName);
  const exempt = (attributes: AdmissionAttributes, dimension: string): void => {
    attributes.addAnnotation(`${prefix}exempt`, dimension);
    observer.exempted(attributes);
  };

  const evaluate = (
    attributes: AdmissionAttributes,
    { policy, errors }: ParsedPolicy,
    shape: PodShape,
    isEnforced: boolean,
  ): void => {
    if (isExempt(shape.spec)) {
      exempt(attributes, "runtimeClass");
      return;
    }
    if (errors.length > 0) {
      attributes.addAnnotation(`${prefix}error`, `Failed to parse policy: ${aggregate(errors)}`);
      observer.failed(false, attributes);
    }
    const enforced = isEnforced ? check(shape, policy.enforce) : [];
    if (isEnforced) {
      attributes.addAnnotation(`${prefix}enforce-policy`, printLevelVersion(policy.enforce));
      observer.evaluated(enforced.length > 0 ? "deny" : "allow", policy.enforce, "enforce", attributes);
    }
    const audited = check(shape, policy.audit);
    if (audited.length > 0) {
      observer.evaluated("deny", policy.audit, "audit", attributes);
      attributes.addAnnotation(`${prefix}audit-violations`, wouldViolate(policy.audit, detailsText(audited)));
    }
    if (enforced.length > 0) {
      const which = printLevelVersion(policy.enforce);
      const why = `violates PodSecurity "${which}": ${detailsText(enforced)}`;
      throw forbiddenError(attributes.resource, attributes.name, why);
    }
    const warned = check(shape, policy.warn);
    if (warned.length === 0) return;
    observer.evaluated("deny", policy.warn, "warn", attributes);
    attributes.warn(wouldViolate(policy.warn, detailsText(warned)));
  };

  const validatePod = (attributes: AdmissionAttributes, parsedPolicy: ParsedPolicy): void => {
    const { policy, errors } = parsedPolicy;
    if (errors.length === 0 && isPrivileged(policy.enforce, policy.audit, policy.warn)) {
      attributes.addAnnotation(`${prefix}enforce-policy`, printLevelVersion(policy.enforce));
      observer.evaluated("allow", policy.enforce, "enforce", attributes);
      return;
    }
    const pod = attributes.object as Pod; // what pods and the subresources that come here are written as
    const old = attributes.oldObject as Pod | undefined;
    if (old !== undefined && !isSignificantUpdate(pod, old, context)) return;
    evaluate(attributes, parsedPolicy, shapeOf(pod), true);
  };

  const validateTemplate = (
    attributes: AdmissionAttributes,
    parsedPolicy: ParsedPolicy,
    templateOf: (object: ApiObject) => PodShape | undefined,
  ): void => {
    const { policy, errors } = parsedPolicy;
    if (errors.length === 0 && isPrivileged(policy.audit, policy.warn)) return;
    const shape = attributes.object && templateOf(attributes.object);
    if (shape !== undefined) evaluate(attributes, parsedPolicy, shape, false);
  };

  const validateNamespace = async (attributes: AdmissionAttributes): Promise<void> => {
    if (attributes.subresource !== "") return;
    const namespace = attributes.object as Namespace; // the type of the resource
    const name = namespace.metadata.name ?? "";
    const labels = namespace.metadata.labels ?? {};
    const { policy, errors } = policyOfLabels(labels, policyLabels);
    const old =
      attributes.oldObject && policyOfLabels(attributes.oldObject.metadata.labels ?? {}, policyLabels);
    if (errors.length > 0 && (old === undefined || !isDeepEqual(errors, old.errors))) {
      throw invalidObject(attributes.kind, name, errors);
    }
    if (old !== undefined && !isTightened(policy.enforce, old.policy.enforce)) return;
    if (exemptions.namespaces.has(name)) {
      if (!isAtLeast(context.level, "1.25")) return;
      const warning = exemptNamespaceWarning(name, policy, labels, policyLabels);
      if (warning !== undefined) attributes.warn(warning);
      return;
    }
    if (old === undefined) return;
    for (const text of await warningsOfPods(name, policy)) attributes.warn(text);
  };

  /** Undefined for a pod that meets the level. */
  const foundIn = (
    pod: Pod,
    level: LevelVersion,
  ): { readonly name: string; readonly text: string } | undefined => {
    const violations = check(shapeOf(pod), level);
    if (violations.length === 0) return undefined;
    return { name: pod.metadata.name ?? "", text: reasonsText(violations) };
  };

  /** Warnings about existing pods. */
  const warningsOfPods = async (namespace: string, { enforce }: Policy): Promise<readonly string[]> => {
    const stored = await context.cluster.list("pods", namespace);
    const readUntil = context.now() + podsCheckMs;
    const { pods, unread } = await checkOrder(stored, {
      isExempt: ({ spec }) => isExempt(spec),
      runWork: context.runWork,
      isOver: () => context.now() > readUntil,
    });
    const existing = pods.length + unread;
    const seen = new Map<string, string[]>();
    const deadline = context.now() + podsCheckMs;
    let checked = 0;
    for (const each of pods.slice(0, podsToCheckMax)) {
      if (checked > 0 && checked % podsPerLook === 0 && context.now() > deadline) break;
      checked++;
      const found = await context.runWork(() => foundIn(each.decode(), enforce));
      if (found === undefined) continue;
      seen.set(found.text, [...(seen.get(found.text) ?? []).slice(0, podsToCheckMax), found.name]);
    }
    const warnings: string[] = [];
    if (checked < existing) {
      warnings.push(
        `new PodSecurity enforce level only checked against the first ${checked} of ${existing} existing pods`,
      );
    }
    if (seen.size > 0) {
      const which = printLevelVersion(enforce);
      warnings.push(
        `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${which}"`,
      );
    }
    return [...warnings, ...[...seen].map(([text, pods]) => `${podsText(pods)}: ${text}`).sort()];
  };

  return {
    operations: ["CREATE", "UPDATE"],
    validate(attributes) {
      const { resource, subresource, namespace, user } = attributes;
      if (isNamespace(attributes)) return validateNamespace(attributes);
      const isPod = resource.group === "" && resource.resource === "pods";
      const templateOf = templates.get(`${resource.resource}.${resource.group}`);
      if (isPod ? ignoredSubresources.includes(subresource) : templateOf === undefined || subresource !== "")
        return;
      if (exemptions.namespaces.has(namespace)) return exempt(attributes, "namespace");
      if (exemptions.usernames.has(user.name)) return exempt(attributes, "user");
      const judge = (policy: ParsedPolicy): void => {
        if (isPod) validatePod(attributes, policy);
        else if (templateOf !== undefined) validateTemplate(attributes, policy, templateOf);
      };
      const known = context.namespaces.get(namespace);
      if (known === undefined) return namespacePolicy(attributes).then(judge);
      judge(policyOf(known.labels));
    },
  };
}

function wouldViolate(level: LevelVersion, details: string): string {
  return `would violate PodSecurity "${printLevelVersion(level)}": ${details}`;
}

/** Whether `enforced` may refuse what `before` allowed. */
function isTightened(enforced: LevelVersion, before: LevelVersion): boolean {
  if (areSame(enforced, before) || enforced.level === "privileged") return false;
  return enforced.version !== before.version || isStricter(enforced.level, before.level);
}

function isPrivileged(...levels: readonly LevelVersion[]): boolean {
  return levels.every(({ level }) => level === "privileged");
}

function podsText(pods: readonly string[]): string {
  const first = [...pods].sort()[0] ?? "";
  if (pods.length === 1) return first;
  return `${first} (and ${pods.length - 1} other ${pods.length === 2 ? "pod" : "pods"})`;
}

function shapeOf({ metadata, spec }: Pick<Pod, "metadata" | "spec">): PodShape {
  return { annotations: metadata.annotations ?? {}, spec };
}

/** Whether an update changes what the rules check: most of a pod cannot change. */
function isSignificantUpdate(
  pod: Pod,
  old: Pod,
  { naming, level }: Pick<Context, "naming" | "level">,
): boolean {
  const imagesOf = ({ spec }: Pod) =>
    placedContainers(spec, FieldPath.of()).map(({ container }) => [container.name, container.image]);
  if (!isDeepEqual(imagesOf(pod), imagesOf(old))) return true;
  if (isAtLeast(level, "1.27")) return false;
  // Until then these annotations were profiles of seccomp.
  const profilesOf = ({ metadata }: Pod) =>
    Object.entries(metadata.annotations ?? {})
      .filter(([key]) => key.includes(`seccomp.security.alpha.${naming.domain}/`))
      .sort();
  return !isDeepEqual(profilesOf(pod), profilesOf(old));
}

/** Where workloads keep their pod template, by qualified resource. */
function templateResources({
  group,
}: Context["naming"]): ReadonlyMap<string, (object: ApiObject) => PodShape | undefined> {
  // Each resource is written as its own kind; those of workloads have the template where replication controllers have it.
  const ofWorkload = (object: ApiObject) => {
    const template = (object as ReplicationController).spec?.template;
    return template && shapeOf({ metadata: template.metadata ?? {}, spec: template.spec ?? {} });
  };
  const ofTemplate = (object: ApiObject) => {
    const { template } = object as PodTemplate;
    return template && shapeOf({ metadata: template.metadata ?? {}, spec: template.spec ?? {} });
  };
  const ofCronJob = (object: ApiObject) => {
    const template = (object as CronJob).spec?.jobTemplate?.spec?.template;
    return template && shapeOf({ metadata: template.metadata ?? {}, spec: template.spec ?? {} });
  };
  const apps = group("apps");
  const batch = group("batch");
  return new Map([
    ["replicationcontrollers.", ofWorkload],
    ["podtemplates.", ofTemplate],
    [`replicasets.${apps}`, ofWorkload],
    [`deployments.${apps}`, ofWorkload],
    [`statefulsets.${apps}`, ofWorkload],
    [`daemonsets.${apps}`, ofWorkload],
    [`jobs.${batch}`, ofWorkload],
    [`cronjobs.${batch}`, ofCronJob],
  ]);
}

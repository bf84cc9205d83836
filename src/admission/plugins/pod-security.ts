import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { FieldPath } from "../../apimachinery/errors/field-error.js";
import { aggregate } from "../../apimachinery/errors/shown-errors.js";
import { forbiddenError, internal, invalidObject } from "../../apimachinery/errors/status.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import { placedContainers } from "../../apis/core/pod-spec/containers.js";
import type { Pod, PodSpec } from "../../apis/gen/core-v1.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { isNamespace } from "../matching/match.js";
import { checkOrder } from "../pod-security/check-order.js";
import {
  type PodSecurityConfiguration,
  readPodSecurityConfiguration,
} from "../pod-security/configuration.js";
import { detailsText, reasonsText, violationsOf } from "../pod-security/evaluate.js";
import { areSame, isStricter, type LevelVersion, printLevelVersion } from "../pod-security/level.js";
import { type PodShape, type ReadTemplate, shapeOf, templateReaders } from "../pod-security/pod-shape.js";
import {
  exemptNamespaceWarning,
  type ParsedPolicy,
  type Policy,
  type PolicyLabels,
  policyOfLabels,
} from "../pod-security/policy.js";
import type { PluginContext } from "./plugin-context.js";

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
  const group = `pod-security.admission.config.${context.naming.groupDomain}`;
  const settings = readPodSecurityConfiguration(configuration, group);
  return context.isEnabled("PodSecurity") ? new PodSecurity(context, settings) : { operations: [] };
}

class PodSecurity implements AdmissionPlugin {
  readonly operations = ["CREATE", "UPDATE"] as const;
  readonly #context: Context;
  readonly #exemptions: PodSecurityConfiguration["exemptions"];
  readonly #policyLabels: PolicyLabels;
  readonly #templates: ReadonlyMap<string, ReadTemplate>;
  readonly #trustsOwnUsers: boolean;
  /** Cached by the labels object that they were parsed from. */
  readonly #policies = new WeakMap<object, ParsedPolicy>();

  constructor(context: Context, { defaults, exemptions }: PodSecurityConfiguration) {
    const { naming, level } = context;
    this.#context = context;
    this.#exemptions = exemptions;
    this.#policyLabels = { prefix: `pod-security.${naming.domain}/`, defaults, apiLevel: level };
    this.#templates = templateReaders(naming);
    this.#trustsOwnUsers = context.isEnabled("UserNamespacesPodSecurityStandards");
  }

  validate(attributes: AdmissionAttributes): Promise<void> | void {
    const { resource, subresource, namespace, user } = attributes;
    if (isNamespace(attributes)) return this.#validateNamespace(attributes);
    const isPod = resource.group === "" && resource.resource === "pods";
    const readTemplate = this.#templates.get(`${resource.resource}.${resource.group}`);
    if (isPod ? ignoredSubresources.includes(subresource) : readTemplate === undefined || subresource !== "")
      return;
    if (this.#exemptions.namespaces.has(namespace)) return this.#exempt(attributes, "namespace");
    if (this.#exemptions.usernames.has(user.name)) return this.#exempt(attributes, "user");
    const judge = (policy: ParsedPolicy): void => {
      if (isPod) this.#validatePod(attributes, policy);
      else if (readTemplate !== undefined) this.#validateTemplate(attributes, policy, readTemplate);
    };
    const known = this.#context.namespaces.get(namespace);
    if (known === undefined) return this.#readPolicy(attributes).then(judge);
    judge(this.#policyOf(known.labels));
  }

  #policyOf(labels: Readonly<Record<string, string>>): ParsedPolicy {
    let policy = this.#policies.get(labels);
    if (policy === undefined) {
      policy = policyOfLabels(labels, this.#policyLabels);
      this.#policies.set(labels, policy);
    }
    return policy;
  }

  async #readPolicy(attributes: AdmissionAttributes): Promise<ParsedPolicy> {
    const found = await this.#context.namespaces.read(attributes.namespace);
    if (found === undefined) {
      this.#context.podSecurityObserver.failed(true, attributes);
      throw internal(`failed to lookup namespace "${attributes.namespace}"`);
    }
    return this.#policyOf(found.labels);
  }

  #validatePod(attributes: AdmissionAttributes, parsed: ParsedPolicy): void {
    const { policy, errors } = parsed;
    if (errors.length === 0 && isPrivileged(policy.enforce, policy.audit, policy.warn)) {
      this.#annotate(attributes, "enforce-policy", printLevelVersion(policy.enforce));
      this.#context.podSecurityObserver.evaluated("allow", policy.enforce, "enforce", attributes);
      return;
    }
    const pod = attributes.object as Pod; // pods, and the subresources handled here, are written as pods
    const old = attributes.oldObject as Pod | undefined;
    if (old !== undefined && !isSignificantUpdate(pod, old, this.#context)) return;
    this.#evaluate(attributes, parsed, shapeOf(pod), true);
  }

  #validateTemplate(attributes: AdmissionAttributes, parsed: ParsedPolicy, readTemplate: ReadTemplate): void {
    const { policy, errors } = parsed;
    if (errors.length === 0 && isPrivileged(policy.audit, policy.warn)) return;
    const shape = attributes.object && readTemplate(attributes.object);
    if (shape !== undefined) this.#evaluate(attributes, parsed, shape, false);
  }

  #evaluate(
    attributes: AdmissionAttributes,
    { policy, errors }: ParsedPolicy,
    shape: PodShape,
    isEnforced: boolean,
  ): void {
    const { podSecurityObserver: observer } = this.#context;
    if (this.#isExempt(shape.spec)) {
      this.#exempt(attributes, "runtimeClass");
      return;
    }
    if (errors.length > 0) {
      this.#annotate(attributes, "error", `Failed to parse policy: ${aggregate(errors)}`);
      observer.failed(false, attributes);
    }
    const enforced = isEnforced ? this.#violations(shape, policy.enforce) : [];
    if (isEnforced) {
      this.#annotate(attributes, "enforce-policy", printLevelVersion(policy.enforce));
      observer.evaluated(enforced.length > 0 ? "deny" : "allow", policy.enforce, "enforce", attributes);
    }
    const audited = this.#violations(shape, policy.audit);
    if (audited.length > 0) {
      observer.evaluated("deny", policy.audit, "audit", attributes);
      this.#annotate(attributes, "audit-violations", wouldViolate(policy.audit, detailsText(audited)));
    }
    if (enforced.length > 0) {
      const which = printLevelVersion(policy.enforce);
      const why = `violates PodSecurity "${which}": ${detailsText(enforced)}`;
      throw forbiddenError(attributes.resource, attributes.name, why);
    }
    const warned = this.#violations(shape, policy.warn);
    if (warned.length === 0) return;
    observer.evaluated("deny", policy.warn, "warn", attributes);
    attributes.warn(wouldViolate(policy.warn, detailsText(warned)));
  }

  async #validateNamespace(attributes: AdmissionAttributes): Promise<void> {
    const { object, oldObject, subresource } = attributes;
    if (subresource !== "" || object === undefined) return;
    const { name = "", labels = {} } = object.metadata;
    const { policy, errors } = policyOfLabels(labels, this.#policyLabels);
    const old = oldObject && policyOfLabels(oldObject.metadata.labels ?? {}, this.#policyLabels);
    if (errors.length > 0 && (old === undefined || !isDeepEqual(errors, old.errors))) {
      throw invalidObject(attributes.kind, name, errors);
    }
    if (old !== undefined && !isTightened(policy.enforce, old.policy.enforce)) return;
    if (this.#exemptions.namespaces.has(name)) {
      if (!isAtLeast(this.#context.level, "1.25")) return;
      const warning = exemptNamespaceWarning(name, policy, labels, this.#policyLabels);
      if (warning !== undefined) attributes.warn(warning);
      return;
    }
    if (old === undefined) return;
    for (const text of await this.#warningsOfPods(name, policy)) attributes.warn(text);
  }

  /** Warnings about existing pods, as many as can be checked in a second. */
  async #warningsOfPods(namespace: string, { enforce }: Policy): Promise<readonly string[]> {
    const { cluster, now, runWork } = this.#context;
    const stored = await cluster.list("pods", namespace);
    const readUntil = now() + podsCheckMs;
    const { pods, unread } = await checkOrder(stored, {
      isExempt: ({ spec }) => this.#isExempt(spec),
      runWork,
      isOver: () => now() > readUntil,
    });
    const existing = pods.length + unread;
    const seen = new Map<string, Violators>();
    const deadline = now() + podsCheckMs;
    let checked = 0;
    for (const each of pods.slice(0, podsToCheckMax)) {
      if (checked > 0 && checked % podsPerLook === 0 && now() > deadline) break;
      checked++;
      const found = await runWork(() => this.#foundIn(each.decode(), enforce));
      if (found === undefined) continue;
      const { first = found.name, count = 0 } = seen.get(found.text) ?? {};
      seen.set(found.text, { first: found.name < first ? found.name : first, count: count + 1 });
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
  }

  /** Undefined for a pod that meets the level. */
  #foundIn(pod: Pod, level: LevelVersion): { readonly name: string; readonly text: string } | undefined {
    const violations = this.#violations(shapeOf(pod), level);
    if (violations.length === 0) return undefined;
    return { name: pod.metadata.name ?? "", text: reasonsText(violations) };
  }

  #violations(shape: PodShape, level: LevelVersion): ReturnType<typeof violationsOf> {
    const { naming, level: apiLevel } = this.#context;
    return violationsOf({ ...shape, naming, apiLevel, trustsOwnUsers: this.#trustsOwnUsers }, level);
  }

  #isExempt({ runtimeClassName = "" }: PodSpec): boolean {
    return this.#exemptions.runtimeClasses.has(runtimeClassName);
  }

  #exempt(attributes: AdmissionAttributes, dimension: string): void {
    this.#annotate(attributes, "exempt", dimension);
    this.#context.podSecurityObserver.exempted(attributes);
  }

  #annotate(attributes: AdmissionAttributes, key: string, value: string): void {
    attributes.addAnnotation(`${this.#policyLabels.prefix}${key}`, value);
  }
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

/** Pods that violate a level for the same reasons. */
interface Violators {
  /** The first name in alphabetical order. */
  readonly first: string;
  readonly count: number;
}

function podsText({ first, count }: Violators): string {
  if (count === 1) return first;
  return `${first} (and ${count - 1} other ${count === 2 ? "pod" : "pods"})`;
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

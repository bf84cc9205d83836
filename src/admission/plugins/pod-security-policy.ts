import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import type { FieldError } from "../../apimachinery/errors/field-error.js";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import { isForGarbageCollection } from "../../apis/definition/garbage-collection-update.js";
import type { Pod } from "../../apis/gen/core-v1.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { refused } from "../chain/refusal.js";
import { podWriteOf } from "../checks/pod-writes.js";
import type { Listed } from "../manifests/manifests.js";
import { type PodPolicy, podPolicyOf } from "../pod-security-policy/pod-policy.js";
import type { PluginContext } from "./plugin-context.js";

/** What policies may change. */
type Mutable = "pod" | "ephemeralContainers" | "nothing";

interface Choice {
  /** Undefined when no policy admits the pod. */
  readonly admitted: { readonly pod: Pod; readonly policy: string } | undefined;
  /** Problems with the policies that the user may use. */
  readonly problems: readonly FieldError[];
}

interface FailedPolicy {
  readonly name: string;
  readonly problems: readonly FieldError[];
}

/** Maximum problems per rejection: a pod may break a rule in thousands of places. */
const shownProblemsMax = 100;

type Context = Pick<PluginContext, "naming" | "cluster" | "authorizer" | "runWork">;

/**
 * Pods must meet a policy that their service account or their creator may `use`. Policies may set what pods leave open. A policy that
 * changes nothing is preferred, then the first by name. Source: Kubernetes documentation, "Pod Security Policies".
 */
export function podSecurityPolicy(context: Context): AdmissionPlugin {
  return new PodSecurityPolicies(context);
}

class PodSecurityPolicies implements AdmissionPlugin {
  readonly operations = ["CREATE", "UPDATE"] as const;
  readonly #context: Context;
  readonly #known: Listed<PodPolicy | undefined>;
  readonly #annotation: string;
  readonly #auditPrefix: string;

  constructor(context: Context) {
    const { naming, cluster } = context;
    this.#context = context;
    this.#known = cluster.follow("podsecuritypolicies.policy", {
      view: (stored) => podPolicyOf(stored.decode(), naming),
    });
    this.#annotation = `${naming.domain}/psp`;
    this.#auditPrefix = `podsecuritypolicy.policy.${naming.groupDomain}/`;
  }

  mutate(attributes: AdmissionAttributes): Promise<void> | undefined {
    const pod = podOf(attributes);
    const isCreate = attributes.operation === "CREATE";
    if (pod === undefined || (!isCreate && attributes.subresource === "")) return;
    return this.#fillIn(attributes, pod, isCreate);
  }

  validate(attributes: AdmissionAttributes): Promise<void> | undefined {
    const pod = podOf(attributes);
    return pod && this.#check(attributes, pod);
  }

  async #fillIn(attributes: AdmissionAttributes, pod: Pod, isCreate: boolean): Promise<void> {
    const mutable = isCreate ? "pod" : "ephemeralContainers";
    const { admitted, problems } = await this.#choose(attributes, pod, mutable, undefined);
    if (admitted === undefined) {
      throw refused(attributes, `PodSecurityPolicy: unable to admit pod: ${printed(problems)}`);
    }
    Object.assign(pod, admitted.pod);
    if (!isCreate) return;
    pod.metadata.annotations = { ...pod.metadata.annotations, [this.#annotation]: admitted.policy };
    attributes.addAnnotation(`${this.#auditPrefix}admit-policy`, admitted.policy);
  }

  async #check(attributes: AdmissionAttributes, pod: Pod): Promise<void> {
    // Try the policy that admitted the pod first.
    const first = pod.metadata.annotations?.[this.#annotation];
    const { admitted, problems } = await this.#choose(attributes, pod, "nothing", first);
    if (admitted === undefined) {
      throw refused(attributes, `PodSecurityPolicy: unable to validate pod: ${printed(problems)}`);
    }
    attributes.addAnnotation(`${this.#auditPrefix}validate-policy`, admitted.policy);
  }

  async #choose(
    attributes: AdmissionAttributes,
    pod: Pod,
    mutable: Mutable,
    first: string | undefined,
  ): Promise<Choice> {
    const policies = inOrder(this.#known.values(), first);
    if (policies.length === 0) {
      throw refused(attributes, "PodSecurityPolicy: no providers available to validate pod request");
    }
    let filledIn: Choice["admitted"];
    const failed: FailedPolicy[] = [];
    for (const policy of policies) {
      const copy = ownParts(pod);
      // There may be thousands of policies.
      const problems = await this.#context.runWork(() => policy.apply(copy));
      if (problems.length > 0) {
        failed.push({ name: policy.name, problems: problems.slice(0, shownProblemsMax) });
        continue;
      }
      const isChanged = !isDeepEqual(pod, copy);
      if (isChanged && (filledIn !== undefined || !mayChange(mutable, pod, copy))) continue;
      if (!(await this.#mayUse(attributes, pod, policy.name))) continue;
      if (!isChanged) return { admitted: { pod: copy, policy: policy.name }, problems: [] };
      filledIn = { pod: copy, policy: policy.name };
    }
    if (filledIn !== undefined) return { admitted: filledIn, problems: [] };
    return { admitted: undefined, problems: await this.#shownProblems(attributes, pod, failed) };
  }

  async #shownProblems(
    attributes: AdmissionAttributes,
    pod: Pod,
    failed: readonly FailedPolicy[],
  ): Promise<readonly FieldError[]> {
    const problems: FieldError[] = [];
    for (const policy of failed) {
      if (problems.length >= shownProblemsMax) break;
      if (await this.#mayUse(attributes, pod, policy.name)) problems.push(...policy.problems);
    }
    return problems.slice(0, shownProblemsMax);
  }

  async #mayUse(attributes: AdmissionAttributes, pod: Pod, name: string): Promise<boolean> {
    const { namespace, user, signal } = attributes;
    const account = pod.spec.serviceAccountName ?? "";
    // The account first: controllers create most pods.
    const users = account === "" ? [user] : [serviceAccountUser(namespace, account), user];
    for (const each of users) {
      // Policies were once in the extensions group, which roles may still name.
      for (const group of ["policy", "extensions"]) {
        const question = { verb: "use", group, resource: "podsecuritypolicies", namespace, name };
        if ((await this.#context.authorizer.authorize(each, question, signal)).isAllowed) return true;
      }
    }
    return false;
  }
}

function podOf(attributes: AdmissionAttributes): Pod | undefined {
  const write = podWriteOf(attributes, ["ephemeralcontainers"]);
  if (write?.old !== undefined && isForGarbageCollection(write.pod, write.old)) return undefined;
  return write?.pod;
}

/** Sorted by name, but `first` comes first. */
function inOrder(policies: Iterable<PodPolicy | undefined>, first: string | undefined): readonly PodPolicy[] {
  return [...policies]
    .filter((policy) => policy !== undefined)
    .sort((a, b) => {
      if (a.name === first) return -1;
      if (b.name === first) return 1;
      return a.name < b.name ? -1 : 1;
    });
}

/** A copy that shares only the parts that policies do not change. */
function ownParts({ metadata, spec, ...rest }: Pod): Pod {
  const copied = <C extends object>(containers: readonly C[] = []): C[] =>
    containers.map((container) => ({ ...container }));
  return {
    ...rest,
    metadata: { ...metadata, ...(metadata.annotations && { annotations: { ...metadata.annotations } }) },
    spec: {
      ...spec,
      containers: copied(spec.containers),
      ...(spec.initContainers && { initContainers: copied(spec.initContainers) }),
      ...(spec.ephemeralContainers && { ephemeralContainers: copied(spec.ephemeralContainers) }),
    },
  };
}

function mayChange(mutable: Mutable, pod: Pod, changed: Pod): boolean {
  if (mutable !== "ephemeralContainers") return mutable === "pod";
  const { ephemeralContainers } = pod.spec;
  return isDeepEqual(pod, { ...changed, spec: { ...changed.spec, ephemeralContainers } });
}

function printed(problems: readonly FieldError[]): string {
  return `[${problems.map(({ field, body }) => `${field}: ${body}`).join(" ")}]`;
}

function serviceAccountUser(namespace: string, account: string): UserInfo {
  return {
    name: `system:serviceaccount:${namespace}:${account}`,
    uid: "",
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`],
    extra: {},
  };
}

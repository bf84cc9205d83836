import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ResourceQuotaSpec, ScopedResourceSelectorRequirement } from "../../gen/core-v1.js";
import { deviceClaimEvaluator } from "./device-claim-evaluator.js";
import type { DeviceObjects } from "./device-objects.js";
import type { QuotaEvaluator, QuotaLevel } from "./evaluator.js";
import { ExtendedDevices } from "./extended-devices.js";
import { claimEvaluator, countEvaluator, serviceEvaluator } from "./object-evaluators.js";
import { podEvaluator } from "./pod-evaluator.js";

interface CountedResource {
  /** Full name. */
  readonly group: string;
  readonly resource: string;
}

interface Special extends CountedResource {
  readonly evaluator: QuotaEvaluator;
}

/** The evaluator of each resource. Source: Kubernetes documentation, "Resource Quotas". */
export class QuotaEvaluators {
  readonly #special: ReadonlyMap<string, Special>;
  readonly #ignored: ReadonlySet<string>;

  /** `devices` is called where claims count as extended resources, too. */
  constructor(context: QuotaLevel, devices: () => DeviceObjects) {
    const { naming } = context;
    const pods = podEvaluator(context);
    const core = (resource: string, evaluator: QuotaEvaluator): Special => ({
      group: "",
      resource,
      evaluator,
    });
    const special = [
      core("pods", pods),
      core("services", serviceEvaluator()),
      core("persistentvolumeclaims", claimEvaluator(context)),
      ...["configmaps", "replicationcontrollers", "resourcequotas", "secrets"].map((resource) =>
        core(resource, countEvaluator("", resource)),
      ),
    ];
    if (isAtLeast(context.level, "1.32") && context.isEnabled("DynamicResourceAllocation")) {
      const claims = { group: naming.group("resource"), resource: "resourceclaims" };
      const extended =
        isAtLeast(context.level, "1.35") && context.isEnabled("DRAExtendedResource")
          ? new ExtendedDevices(naming, devices(), (pod, now) => pods.measure(pod, now).usage)
          : undefined;
      special.push({ ...claims, evaluator: deviceClaimEvaluator(claims.group, extended) });
    }
    this.#special = new Map(special.map((entry) => [keyOf(entry), entry]));
    const [authentication, authorization] = [naming.group("authentication"), naming.group("authorization")];
    this.#ignored = new Set([
      // Not stored.
      ...["bindings", "componentstatuses"].map((resource) => keyOf({ group: "", resource })),
      keyOf({ group: authentication, resource: "tokenreviews" }),
      ...[
        "subjectaccessreviews",
        "selfsubjectaccessreviews",
        "localsubjectaccessreviews",
        "selfsubjectrulesreviews",
      ].map((resource) => keyOf({ group: authorization, resource })),
      // They expire by themselves.
      keyOf({ group: "", resource: "events" }),
    ]);
  }

  /** Undefined for a resource that quotas do not count. */
  of(resource: CountedResource): QuotaEvaluator | undefined {
    if (this.#ignored.has(keyOf(resource))) return undefined;
    return this.#special.get(keyOf(resource))?.evaluator ?? countEvaluator(resource.group, resource.resource);
  }

  /** The resources whose objects use the quota resource `name`; they need not exist. */
  countedBy(name: string): readonly CountedResource[] {
    const special = [...this.#special.values()].filter(({ evaluator }) => evaluator.counts(name));
    if (special.length > 0 || !name.startsWith("count/")) return special;
    const counted = name.slice("count/".length);
    const dot = counted.indexOf(".");
    if (dot < 0) return [{ group: "", resource: counted }];
    return [{ group: counted.slice(dot + 1), resource: counted.slice(0, dot) }];
  }
}

/** The scopes that an object must match to count for a quota. */
export function scopesOf({
  scopes,
  scopeSelector,
}: ResourceQuotaSpec): readonly ScopedResourceSelectorRequirement[] {
  return [
    ...(scopes ?? []).map((scopeName) => ({ scopeName, operator: "Exists" })),
    ...(scopeSelector?.matchExpressions ?? []),
  ];
}

function keyOf({ group, resource }: CountedResource): string {
  return `${resource}.${group}`;
}

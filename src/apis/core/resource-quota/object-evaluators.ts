import { Quantity } from "../../../apimachinery/values/quantity.js";
import type { Naming } from "../../../naming/naming.js";
import type { PersistentVolumeClaim, Service } from "../../gen/core-v1.js";
import { type Amounts, one } from "./amounts.js";
import { countName, type Measure, nothingUnstated, type QuotaEvaluator } from "./evaluator.js";

/** Names of object counts that predate `count/`. */
const plainNames: ReadonlySet<string> = new Set([
  "configmaps",
  "replicationcontrollers",
  "resourcequotas",
  "secrets",
]);

/** Counts the objects of any resource. */
export function countEvaluator(group: string, resource: string): QuotaEvaluator {
  const names = [countName(group, resource)];
  if (group === "" && plainNames.has(resource)) names.push(resource);
  const constant = unscoped(new Map(names.map((name) => [name, one])));
  return {
    measuresUpdates: false,
    constant,
    counts: (name) => names.includes(name),
    measure: () => constant,
    unstated: () => nothingUnstated,
  };
}

const serviceNames: ReadonlySet<string> = new Set([
  "count/services",
  "services",
  "services.nodeports",
  "services.loadbalancers",
]);

/** Counts services, their node ports and load balancers. */
export function serviceEvaluator(): QuotaEvaluator<Service> {
  return {
    measuresUpdates: true,
    counts: (name) => serviceNames.has(name),
    measure({ spec }) {
      const ports = spec.ports ?? [];
      const isBalancer = spec.type === "LoadBalancer";
      const allocates =
        spec.type === "NodePort" || (isBalancer && spec.allocateLoadBalancerNodePorts !== false);
      const chosen = isBalancer ? ports.filter(({ nodePort = 0 }) => nodePort !== 0).length : 0;
      return unscoped(
        new Map([
          ["count/services", one],
          ["services", one],
          ["services.nodeports", Quantity.fromInt(allocates ? ports.length : chosen)],
          ["services.loadbalancers", Quantity.fromInt(isBalancer ? 1 : 0)],
        ]),
      );
    },
    unstated: () => nothingUnstated,
  };
}

const claimNames: ReadonlySet<string> = new Set([
  "count/persistentvolumeclaims",
  "persistentvolumeclaims",
  "requests.storage",
]);

/** Counts claims and the storage they request, in total and by storage class. */
export function claimEvaluator(naming: Naming): QuotaEvaluator<PersistentVolumeClaim> {
  const classPart = `.storageclass.${naming.group("storage")}/`;
  const classAnnotation = `volume.beta.${naming.domain}/storage-class`;
  return {
    measuresUpdates: true,
    counts: (name) =>
      claimNames.has(name) ||
      name.endsWith(`${classPart}persistentvolumeclaims`) ||
      name.endsWith(`${classPart}requests.storage`),
    measure({ metadata, spec, status }) {
      const className = metadata.annotations?.[classAnnotation] ?? spec.storageClassName ?? "";
      const usage = new Map<string, Quantity>([
        ["count/persistentvolumeclaims", one],
        ["persistentvolumeclaims", one],
      ]);
      const storage = largest(spec.resources?.requests?.storage, status?.allocatedResources?.storage);
      if (storage !== undefined) usage.set("requests.storage", storage);
      if (className !== "") {
        usage.set(`${className}${classPart}persistentvolumeclaims`, one);
        if (storage !== undefined) usage.set(`${className}${classPart}requests.storage`, storage);
      }
      return unscoped(usage);
    },
    unstated: () => nothingUnstated,
  };
}

/** After a failed expansion, a claim may request less than what was allocated for it. */
function largest(requested: string | undefined, allocated: string | undefined): Quantity | undefined {
  if (requested === undefined) return undefined;
  const amount = Quantity.parse(requested);
  if (allocated === undefined) return amount;
  const other = Quantity.parse(allocated);
  return other.compare(amount) > 0 ? other : amount;
}

/** Scopes apply to pods: a quota with scopes counts nothing else. */
function unscoped(usage: Amounts): Measure {
  return { usage, matchesScope: () => false };
}

import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { Quantity } from "../../../apimachinery/values/quantity.js";
import type { PersistentVolumeClaim, ScopedResourceSelectorRequirement, Service } from "../../gen/core-v1.js";
import { one } from "./amounts.js";
import {
  countName,
  matchesName,
  nothingUnstated,
  type QuotaEvaluator,
  type QuotaLevel,
  unscoped,
} from "./evaluator.js";

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
    measuresUpdate: () => false,
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
    measuresUpdate: ({ subresource }) => subresource === "",
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
export function claimEvaluator({
  naming,
  level,
  isEnabled,
}: QuotaLevel): QuotaEvaluator<PersistentVolumeClaim> {
  const hasClassScope = isEnabled("VolumeAttributesClass") && isAtLeast(level, "1.33");
  const measuresStatus = isAtLeast(level, "1.33");
  const countsAllocated = isEnabled("RecoverVolumeExpansionFailure");
  const classPart = `.storageclass.${naming.group("storage")}/`;
  const classAnnotation = `volume.beta.${naming.domain}/storage-class`;
  return {
    measuresUpdate: ({ subresource, object, old }) =>
      subresource === "" ||
      (subresource === "status" &&
        measuresStatus &&
        ((countsAllocated && object.status?.allocatedResources !== undefined) ||
          (hasClassScope && !isDeepEqual(attributeClasses(object), attributeClasses(old))))),
    counts: (name) =>
      claimNames.has(name) ||
      name.endsWith(`${classPart}persistentvolumeclaims`) ||
      name.endsWith(`${classPart}requests.storage`),
    measure(claim) {
      const { metadata, spec, status } = claim;
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
      if (!hasClassScope) return unscoped(usage);
      const classes = attributeClasses(claim);
      return {
        usage,
        matchesScope: (requirement) =>
          requirement.scopeName === "VolumeAttributesClass" && matchesClasses(classes, requirement),
      };
    },
    unstated: () => nothingUnstated,
  };
}

/** The requested class, the current one, and the target of a change in progress. */
function attributeClasses({ spec, status }: PersistentVolumeClaim): readonly string[] {
  const names = [
    spec.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
  return [...new Set(names.flatMap((name) => (name === undefined || name === "" ? [] : name)))].sort();
}

function matchesClasses(classes: readonly string[], requirement: ScopedResourceSelectorRequirement): boolean {
  return classes.length === 0
    ? matchesName("", requirement)
    : classes.some((name) => matchesName(name, requirement));
}

/** After a failed expansion, a claim may request less than what was allocated for it. */
function largest(requested: string | undefined, allocated: string | undefined): Quantity | undefined {
  if (requested === undefined) return undefined;
  // Quotas count whole bytes.
  const amount = Quantity.parse(requested).roundedTo(0);
  if (allocated === undefined) return amount;
  const other = Quantity.parse(allocated).roundedTo(0);
  return other.compare(amount) > 0 ? other : amount;
}

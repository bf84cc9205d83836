import { Quantity } from "../../../apimachinery/values/quantity.js";
import type { Naming } from "../../../naming/naming.js";
import { isExtendedResource } from "../../checks/resource-names.js";
import type { Pod } from "../../gen/core-v1.js";
import type { ResourceClaim } from "../../gen/resource-v1.js";
import { type Amounts, addTo } from "./amounts.js";
import { type DeviceObjects, type PodClaim, podClaimOf } from "./device-objects.js";

const requestsPrefix = "requests.";
const nothing: Amounts = new Map();

/** Prefix of the implicit extended resource that every device class has: its name follows. */
export function deviceClassPrefix({ domain }: Naming): string {
  return `deviceclass.resource.${domain}/`;
}

/** The annotation on claims that the scheduler creates for a pod's extended resources. */
export function podClaimAnnotation({ domain }: Naming): string {
  return `resource.${domain}/extended-resource-claim`;
}

/**
 * Counts the devices of claims as extended resources, so that one quota covers claims and pods that request them as resources. Source:
 * Kubernetes documentation, "Resource Quotas", DRA.
 */
export class ExtendedDevices {
  readonly #naming: Naming;
  readonly #objects: DeviceObjects;
  readonly #podUsage: (pod: Pod, now: number) => Amounts;

  /** `podUsage`: what a pod uses of each resource. */
  constructor(naming: Naming, objects: DeviceObjects, podUsage: (pod: Pod, now: number) => Amounts) {
    this.#naming = naming;
    this.#objects = objects;
    this.#podUsage = podUsage;
  }

  counts(name: string): boolean {
    if (!name.startsWith(requestsPrefix)) return false;
    const asked = name.slice(requestsPrefix.length);
    return asked.startsWith(deviceClassPrefix(this.#naming)) || isExtendedResource(asked, this.#naming);
  }

  /** `devices`: counts by class. A class without an extended resource is not counted by its implicit one either. */
  usageOf(devices: ReadonlyMap<string, number>): Amounts {
    const usage = new Map<string, Quantity>();
    for (const [className, count] of devices) {
      const resource = this.#objects.extendedResourceOf(className);
      if (resource === undefined || count === 0) continue;
      const amount = Quantity.fromInt(count);
      for (const name of [resource, deviceClassPrefix(this.#naming) + className]) {
        addTo(usage, new Map([[requestsPrefix + name, amount]]));
      }
    }
    return usage;
  }

  /** Looks up what a claim's pod already counts for. Undefined for a claim that a user created. */
  chargedToPod(claim: ResourceClaim): ((now: number) => Promise<Amounts>) | undefined {
    const made = podClaimOf(claim, podClaimAnnotation(this.#naming));
    return made && (async (now) => await this.#chargedToPod(made, now));
  }

  async #chargedToPod(claim: PodClaim, now: number): Promise<Amounts> {
    const pod = await this.#objects.pod(claim.namespace, claim.pod.name);
    if (pod === undefined || pod.metadata.uid !== claim.pod.uid) return nothing;
    const named = pod.status?.extendedResourceClaimStatus?.resourceClaimName;
    // Users can create such claims too, so only one claim per pod is exempt.
    const isOwn = named === undefined ? this.#isFirst(claim) : named === claim.name;
    return isOwn ? this.#podUsage(pod, now) : nothing;
  }

  #isFirst(claim: PodClaim): boolean {
    for (const other of this.#objects.claimsOf(claim.pod.uid)) {
      if (other.namespace === claim.namespace && isEarlier(other, claim)) return false;
    }
    return true;
  }
}

function isEarlier(a: PodClaim, b: PodClaim): boolean {
  if (a.created === b.created) return a.name < b.name;
  return b.created === "" || (a.created !== "" && a.created < b.created);
}

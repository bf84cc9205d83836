import type { Quantity } from "../../apimachinery/values/quantity.js";
import {
  type Amounts,
  printAmounts,
  readAmounts,
  writeAmounts,
} from "../../apis/core/resource-quota/amounts.js";
import type { ResourceQuota } from "../../apis/gen/core-v1.js";

/** The usage of an object, by resource. */
export type Delta = Amounts;

/** A quota's use, while charges are added and refunded. */
export class QuotaUse {
  readonly #name: string;
  readonly #status: NonNullable<ResourceQuota["status"]>;
  readonly #bounds: Amounts;
  readonly #used: Map<string, Quantity>;
  readonly #changed = new Set<string>();

  constructor(name: string, status: ResourceQuota["status"]) {
    this.#name = name;
    this.#status = status ?? {};
    this.#bounds = readAmounts(status?.hard);
    this.#used = new Map(readAmounts(status?.used));
  }

  /** The status with the charges; the given one without any. */
  get status(): NonNullable<ResourceQuota["status"]> {
    if (this.#changed.size === 0) return this.#status;
    const { hard = {}, used = {} } = this.#status;
    const changed = new Map([...this.#used].filter(([resource]) => this.#changed.has(resource)));
    return { hard, used: { ...used, ...writeAmounts(changed) } };
  }

  /** Adds the resources of `delta` that the quota limits. Returns Kubernetes' message if they do not fit. */
  charge(delta: Delta): string | undefined {
    const problem = this.problemWith(delta);
    if (problem !== undefined) return problem;
    this.add(delta);
    return undefined;
  }

  /** Like `charge`, without checking for room. */
  add(delta: Delta): void {
    for (const [resource, amount] of delta) {
      const used = this.#bounds.has(resource) ? this.#used.get(resource) : undefined;
      if (used !== undefined) this.#set(resource, used.add(amount));
    }
  }

  /** The result that `charge` would return, without charging. */
  problemWith(delta: Delta): string | undefined {
    const unknown: string[] = [];
    const exceeded = new Set<string>();
    for (const [resource, amount] of delta) {
      const bound = this.#bounds.get(resource);
      if (bound === undefined) continue;
      const used = this.#used.get(resource);
      if (used === undefined) unknown.push(resource);
      else if (used.add(amount).compare(bound) > 0) exceeded.add(resource);
    }
    if (unknown.length > 0) return statusUnknown(this.#name, unknown);
    if (exceeded.size === 0) return undefined;
    const of = (amounts: Amounts) =>
      printAmounts(new Map([...amounts].filter(([resource]) => exceeded.has(resource))));
    return `exceeded quota: ${this.#name}, requested: ${of(delta)}, used: ${of(this.#used)}, limited: ${of(this.#bounds)}`;
  }

  /** Refunds what `charge` added. */
  refund(delta: Delta): void {
    for (const [resource, amount] of delta) {
      const used = this.#used.get(resource);
      if (!this.#bounds.has(resource) || used === undefined || used.compare(amount) < 0) continue;
      this.#set(resource, used.sub(amount));
    }
  }

  #set(resource: string, amount: Quantity): void {
    this.#used.set(resource, amount);
    this.#changed.add(resource);
  }
}

export function statusUnknown(name: string, resources: readonly string[]): string {
  return `status unknown for quota: ${name}, resources: ${[...resources].sort().join(",")}`;
}

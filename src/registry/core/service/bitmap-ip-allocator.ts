import type { IpFamily } from "../../../apimachinery/validation/ip-addresses.js";
import {
  type AddressRequest,
  AllocationError,
  type ClusterIpAllocator,
  type ClusterIpObserver,
  outOfRangeMessage,
  rangeFullMessage,
} from "./cluster-ip-allocator.js";
import type { IpRange } from "./ip-range.js";
import type { RangeAllocator } from "./range-allocator.js";

/** The cluster IPs of one family, kept in the bitmap of one range. */
export class BitmapIpAllocator implements ClusterIpAllocator {
  readonly range: IpRange;
  readonly #allocator: RangeAllocator;

  readonly #observer: ClusterIpObserver;

  constructor(range: IpRange, allocator: RangeAllocator, observer: ClusterIpObserver) {
    this.range = range;
    this.#allocator = allocator;
    this.#observer = observer;
    observer.follow(() => allocator.usage());
  }

  get family(): IpFamily {
    return this.range.family;
  }

  /**
   * A dry run allocates nothing but checks whether the address is taken; Kubernetes only checks the range. Rejects with
   * `AllocationError`.
   */
  async allocate(address: string, { dryRun }: Pick<AddressRequest, "dryRun">): Promise<void> {
    await this.#observed(dryRun, () => this.#allocate(address, dryRun));
  }

  /** A dry run returns the network's own address, which no service ever has. */
  async allocateAny({ dryRun }: Pick<AddressRequest, "dryRun">): Promise<string> {
    if (dryRun) return this.range.networkAddress;
    return await this.#observed(dryRun, async () => {
      const offset = await this.#allocator.takeAny();
      if (offset === undefined) throw new AllocationError(rangeFullMessage);
      return this.range.addressAt(offset);
    });
  }

  async #allocate(address: string, dryRun: boolean): Promise<void> {
    const offset = this.range.offsetOf(address);
    if (offset === undefined) {
      throw new AllocationError(outOfRangeMessage(address, this.range));
    }
    // What is free now may not be so when the service is created.
    if (dryRun || (await this.#allocator.take(offset))) return;
    throw new AllocationError("provided IP is already allocated");
  }

  async #observed<R>(dryRun: boolean, step: () => Promise<R>): Promise<R> {
    try {
      const result = await step();
      if (!dryRun) this.#observer.allocated();
      return result;
    } catch (error) {
      if (!dryRun) this.#observer.failed();
      throw error;
    }
  }

  /** Ignores addresses outside the range. */
  async release(address: string): Promise<void> {
    const offset = this.range.offsetOf(address);
    if (offset !== undefined) await this.#allocator.release([offset]);
  }
}

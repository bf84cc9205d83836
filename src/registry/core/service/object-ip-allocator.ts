import type { IpFamily } from "../../../apimachinery/validation/ip-addresses.js";
import type { Service } from "../../../apis/gen/core-v1.js";
import { type AddressRange, addressNumber, addressText, hasAddress } from "./address-range.js";
import type { RandomInt } from "./allocation-bitmap.js";
import {
  type AddressRequest,
  AllocationError,
  type ClusterIpAllocator,
  type ClusterIpObserver,
  outOfRangeMessage,
  rangeFullMessage,
} from "./cluster-ip-allocator.js";

/** The stored objects that hold one address each. */
export interface AddressHolders {
  /** The first address of a family from `first` to `last`, both included, that no object holds. The view may lag behind. */
  firstFree(family: IpFamily, first: bigint, last: bigint): bigint | undefined;
  /** Takes the address for a service. False when an object holds it already. */
  create(address: string, family: IpFamily, service: Service): Promise<boolean>;
  /** Does nothing when no object holds it. */
  remove(address: string): Promise<void>;
  /** How many addresses of a range are taken. */
  count(range: AddressRange): number;
}

export interface ObjectIpAllocatorParts {
  readonly family: IpFamily;
  readonly holders: AddressHolders;
  /** The family's ranges from which addresses are allocated now. */
  readonly ranges: () => readonly AddressRange[];
  /** An address that is only allocated by name. */
  readonly reserved: string | undefined;
  readonly random: RandomInt;
  readonly observe: (range: string) => ClusterIpObserver;
}

const noRangeMessage = "the provided network does not match the current range";

/**
 * The cluster IPs of one family, each held by an IPAddress object: the address belongs to whoever creates the object. Source: KEP-1880,
 * "Multiple Service CIDRs".
 */
export class ObjectIpAllocator implements ClusterIpAllocator {
  readonly family: IpFamily;
  readonly #parts: ObjectIpAllocatorParts;
  readonly #observers = new Map<string, ClusterIpObserver>();

  constructor(parts: ObjectIpAllocatorParts) {
    this.family = parts.family;
    this.#parts = parts;
  }

  async allocate(address: string, { service, dryRun }: AddressRequest): Promise<void> {
    const { holders, ranges } = this.#parts;
    const value = addressNumber(address);
    const range = value === undefined ? undefined : ranges().find((each) => hasAddress(each, value));
    if (range === undefined || value === undefined) {
      const [first] = dryRun ? ranges() : [];
      throw new AllocationError(first === undefined ? noRangeMessage : outOfRangeMessage(address, first));
    }
    // An address that is free now may be taken before the service is created.
    if (dryRun) return;
    const name = addressText(this.family, value);
    const observer = this.#observerOf(range);
    if (await holders.create(name, this.family, service)) {
      observer.allocated();
      return;
    }
    observer.failed();
    throw new AllocationError("provided IP is already allocated");
  }

  async allocateAny({ service, dryRun }: AddressRequest): Promise<string> {
    for (const range of this.#parts.ranges()) {
      if (dryRun) return range.networkAddress;
      const { first, last, dynamicFirst } = range;
      const address =
        (await this.#takeFrom(dynamicFirst, last, service)) ??
        (await this.#takeFrom(first, dynamicFirst - 1n, service));
      const observer = this.#observerOf(range);
      if (address !== undefined) {
        observer.allocated();
        return address;
      }
      observer.failed();
    }
    throw new AllocationError(rangeFullMessage);
  }

  async release(address: string): Promise<void> {
    const value = addressNumber(address);
    if (value !== undefined) await this.#parts.holders.remove(addressText(this.family, value));
  }

  /** Takes a free address from `first` to `last`, both included: the first one after a random address, or else from the beginning. */
  async #takeFrom(first: bigint, last: bigint, service: Service): Promise<string | undefined> {
    const size = last - first + 1n;
    if (size <= 0n) return undefined;
    const start = first + randomBelow(size, this.#parts.random);
    return (
      (await this.#takeFirst(start, last, service)) ?? (await this.#takeFirst(first, start - 1n, service))
    );
  }

  async #takeFirst(first: bigint, last: bigint, service: Service): Promise<string | undefined> {
    const { holders, reserved } = this.#parts;
    let value = holders.firstFree(this.family, first, last);
    while (value !== undefined) {
      const address = addressText(this.family, value);
      // Another writer may have taken it first.
      if (address !== reserved && (await holders.create(address, this.family, service))) return address;
      value = holders.firstFree(this.family, value + 1n, last);
    }
    return undefined;
  }

  #observerOf(range: AddressRange): ClusterIpObserver {
    const { holders, observe } = this.#parts;
    const known = this.#observers.get(range.text);
    if (known !== undefined) return known;
    const observer = observe(range.text);
    this.#observers.set(range.text, observer);
    const size = Number(range.last - range.first + 1n);
    observer.follow(() => {
      const taken = holders.count(range);
      return { taken, free: Math.max(0, size - taken) };
    });
    return observer;
  }
}

const wordSize = 2 ** 32;

function randomBelow(bound: bigint, random: RandomInt): bigint {
  if (bound <= BigInt(wordSize)) return BigInt(random(Number(bound)));
  return ((BigInt(random(wordSize)) << 32n) | BigInt(random(wordSize))) % bound;
}

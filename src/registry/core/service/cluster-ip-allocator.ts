import type { IpFamily } from "../../../apimachinery/validation/ip-addresses.js";
import type { Service } from "../../../apis/gen/core-v1.js";

/** The service that an address is for, and whether this is a dry run. */
export interface AddressRequest {
  /** Its name and namespace are set. */
  readonly service: Service;
  readonly dryRun: boolean;
}

/** Allocates the cluster IPs of one family. */
export interface ClusterIpAllocator {
  readonly family: IpFamily;
  /** Rejects with `AllocationError`. */
  allocate(address: string, request: AddressRequest): Promise<void>;
  /** Rejects with `AllocationError`. A dry run returns an address that no service ever has. */
  allocateAny(request: AddressRequest): Promise<string>;
  /** Ignores addresses that are not allocated. */
  release(address: string): Promise<void>;
}

/** Why an address or port was not allocated. Clients read the message. */
export class AllocationError extends Error {
  override readonly name = "AllocationError";
}

export function outOfRangeMessage(address: string, range: { readonly text: string }): string {
  return `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${range.text}`;
}

export const rangeFullMessage = "range is full";

/** How many addresses of a range are taken and how many are free. */
export interface RangeUsage {
  readonly taken: number;
  readonly free: number;
}

/** Receives allocations of one range, except those of dry runs. */
export interface ClusterIpObserver {
  allocated(): void;
  failed(): void;
  /** `usage` is undefined until the first allocation. Called once. */
  follow(usage: () => RangeUsage | undefined): void;
}

import type { IpFamily } from "../../../apimachinery/validation/ip-addresses.js";
import type { Service } from "../../../apis/gen/core-v1.js";

/** For whom an address is, and whether it is only tried. */
export interface AddressRequest {
  /** Has its name and namespace. */
  readonly service: Service;
  readonly dryRun: boolean;
}

/** The cluster IPs of one family. */
export interface ClusterIps {
  readonly family: IpFamily;
  /** Rejects with `AllocationError`. */
  allocate(address: string, request: AddressRequest): Promise<void>;
  /** Rejects with `AllocationError`. A dry run returns an address that no service ever has. */
  allocateAny(request: AddressRequest): Promise<string>;
  /** Ignores addresses that are not allocated. */
  release(address: string): Promise<void>;
}

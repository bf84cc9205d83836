import type { IpFamily } from "../../../apimachinery/validation/ip-addresses.js";
import type { Service } from "../../../apis/gen/core-v1.js";

/** The service that an address is for, and whether this is a dry run. */
export interface AddressRequest {
  /** Its name and namespace are set. */
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

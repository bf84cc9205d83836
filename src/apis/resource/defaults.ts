import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type {
  DeviceClaim,
  DeviceSubRequest,
  ExactDeviceRequest,
  ResourceClaim,
  ResourceClaimStatus,
  ResourceClaimTemplate,
} from "../gen/resource-v1.js";
import type { DeviceClaim as DeviceClaimV1beta1 } from "../gen/resource-v1beta1.js";
import { setTolerationDefaults } from "./taints.js";

export function setClaimDefaults({ spec, status }: ResourceClaim): void {
  setDeviceDefaults(spec.devices);
  setStatusDefaults(status);
}

export function setStatusDefaults({ allocation }: Pick<ResourceClaimStatus, "allocation">): void {
  for (const { tolerations } of allocation?.devices.results ?? []) setTolerationDefaults(tolerations);
}

/** Sets the defaults of versions that have the fields of `exactly` in the request itself. */
export function setFlatDefaults({ requests = [] }: DeviceClaimV1beta1, level: ApiLevel): void {
  for (const request of requests) {
    // Requests with alternatives have no class.
    if (request.deviceClassName !== "" || !isAtLeast(level, "1.33")) setRequestDefaults(request);
    for (const alternative of request.firstAvailable ?? []) setRequestDefaults(alternative);
  }
}

export function setTemplateDefaults({ spec }: ResourceClaimTemplate): void {
  setDeviceDefaults(spec.spec.devices);
}

function setDeviceDefaults({ requests = [] }: DeviceClaim): void {
  for (const { exactly, firstAvailable = [] } of requests) {
    if (exactly !== undefined) setRequestDefaults(exactly);
    for (const alternative of firstAvailable) setRequestDefaults(alternative);
  }
}

function setRequestDefaults(
  request: Pick<ExactDeviceRequest & DeviceSubRequest, "allocationMode" | "count" | "tolerations">,
): void {
  request.allocationMode ??= "ExactCount";
  if (request.allocationMode === "ExactCount") request.count ??= 1;
  setTolerationDefaults(request.tolerations);
}

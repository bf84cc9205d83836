import type {
  DeviceClaim,
  DeviceSubRequest,
  ExactDeviceRequest,
  ResourceClaim,
  ResourceClaimTemplate,
} from "../gen/resource-v1.js";
import { setTolerationDefaults } from "./taints.js";

export function setClaimDefaults({ spec, status }: ResourceClaim): void {
  setDeviceDefaults(spec.devices);
  for (const { tolerations } of status.allocation?.devices.results ?? []) setTolerationDefaults(tolerations);
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

export function setRequestDefaults(
  request: Pick<ExactDeviceRequest & DeviceSubRequest, "allocationMode" | "count" | "tolerations">,
): void {
  request.allocationMode ??= "ExactCount";
  if (request.allocationMode === "ExactCount") request.count ??= 1;
  setTolerationDefaults(request.tolerations);
}

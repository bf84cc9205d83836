import type { EndpointSlice } from "../../gen/discovery-v1.js";

/** The same in both versions. */
export function setEndpointSliceDefaults(object: Pick<EndpointSlice, "ports">): void {
  for (const port of object.ports ?? []) {
    port.name ??= "";
    port.protocol ??= "TCP";
  }
}

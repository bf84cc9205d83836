import type { Service } from "../../apis/gen/core-v1.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { refused } from "../chain/refusal.js";

/** Lets services keep their external addresses but not add new ones. */
export function denyServiceExternalIps(): AdmissionPlugin {
  return {
    operations: ["CREATE", "UPDATE"],
    validate(attributes) {
      const { resource, subresource, object, oldObject } = attributes;
      if (resource.resource !== "services" || resource.group !== "" || subresource !== "") return;
      const known = new Set((oldObject as Service | undefined)?.spec?.externalIPs);
      const wanted = (object as Service | undefined)?.spec?.externalIPs ?? [];
      if (wanted.every((address) => known.has(address))) return;
      throw refused(attributes, "Use of external IPs is denied by admission control");
    },
  };
}

import { Quantity } from "../../apimachinery/values/quantity.js";
import type { PersistentVolumeClaim } from "../../apis/gen/core-v1.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { refused } from "../chain/refusal.js";
import { writesOf } from "../checks/writes-of.js";
import type { PluginContext } from "./plugin-context.js";

/** A claim may grow when it is bound and its storage class allows it. */
export function persistentVolumeClaimResize({
  naming,
  cluster,
}: Pick<PluginContext, "naming" | "cluster">): AdmissionPlugin {
  const classes = cluster.follow("storageclasses.storage", {
    view: (stored) => stored.decode().allowVolumeExpansion === true,
  });
  const classAnnotation = `volume.beta.${naming.domain}/storage-class`;
  const classOf = ({ metadata, spec }: PersistentVolumeClaim): string =>
    metadata.annotations?.[classAnnotation] ?? spec.storageClassName ?? "";
  const writesClaim = writesOf("persistentvolumeclaims", naming);
  return {
    operations: ["UPDATE"],
    validate(attributes) {
      if (!writesClaim(attributes)) return;
      const { object: claim, oldObject: old } = attributes;
      if (claim === undefined || old === undefined) return;
      if (sizeOf(claim).compare(sizeOf(old)) <= 0) return;
      if (old.status?.phase !== "Bound") {
        throw refused(attributes, "Only bound persistent volume claims can be expanded");
      }
      const name = classOf(claim);
      if (name !== "" && name === classOf(old) && classes.get(name) === true) return;
      throw refused(
        attributes,
        "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
      );
    },
  };
}

function sizeOf({ spec }: PersistentVolumeClaim): Quantity {
  const size = spec.resources?.requests?.storage;
  return size === undefined ? Quantity.zero : Quantity.parse(size);
}

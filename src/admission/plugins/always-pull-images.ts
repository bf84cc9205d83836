import { notSupported } from "../../apimachinery/errors/field-error.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { refused } from "../chain/refusal.js";
import { containersOf, podWriteOf } from "../checks/pod-writes.js";

/** Makes pods pull their images on each start, so that only users who may pull a private image can run it. */
export function alwaysPullImages(): AdmissionPlugin {
  return {
    operations: ["CREATE", "UPDATE"],
    mutate(attributes) {
      for (const { container } of containersToCheck(attributes)) container.imagePullPolicy = "Always";
    },
    validate(attributes) {
      const errors = containersToCheck(attributes)
        .filter(({ container }) => container.imagePullPolicy !== "Always")
        .map(({ container, path }) =>
          notSupported(path.child("imagePullPolicy"), container.imagePullPolicy ?? "", ["Always"]),
        );
      if (errors.length === 0) return;
      throw refused(attributes, errors.map(({ field, body }) => `${field}: ${body}`).join(", "));
    },
  };
}

/** No containers for an update without a new image. */
function containersToCheck(attributes: AdmissionAttributes): ReturnType<typeof containersOf> {
  const write = podWriteOf(attributes);
  if (write === undefined) return [];
  const containers = containersOf(write.pod.spec);
  if (write.old === undefined) return containers;
  const known = new Set(containersOf(write.old.spec).map(({ container }) => container.image));
  return containers.every(({ container }) => known.has(container.image)) ? [] : containers;
}

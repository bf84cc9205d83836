import { FieldPath, notSupported } from "../../apimachinery/errors/field-error.js";
import type { Pod } from "../../apis/gen/core-v1.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { refused } from "../chain/refusal.js";
import { containersOf, podWriteOf } from "../checks/pod-writes.js";

/** Makes pods pull their images on each start, so that only users who may pull a private image can run it. */
export function alwaysPullImages(): AdmissionPlugin {
  return {
    operations: ["CREATE", "UPDATE"],
    mutate(attributes) {
      const pod = podToCheck(attributes);
      if (pod === undefined) return;
      for (const { container } of containersOf(pod.spec)) container.imagePullPolicy = "Always";
      for (const { image } of pod.spec.volumes ?? []) if (image !== undefined) image.pullPolicy = "Always";
    },
    validate(attributes) {
      const pod = podToCheck(attributes);
      if (pod === undefined) return;
      const policies = [
        ...containersOf(pod.spec).map(({ container, path }) => ({
          policy: container.imagePullPolicy,
          path: path.child("imagePullPolicy"),
        })),
        ...(pod.spec.volumes ?? []).flatMap(({ image }, index) => {
          const path = FieldPath.of("spec", "volumes").index(index).child("image", "pullPolicy");
          return image === undefined ? [] : [{ policy: image.pullPolicy, path }];
        }),
      ];
      const errors = policies
        .filter(({ policy }) => policy !== "Always")
        .map(({ policy, path }) => notSupported(path, policy ?? "", ["Always"]));
      if (errors.length === 0) return;
      throw refused(attributes, errors.map(({ field, body }) => `${field}: ${body}`).join(", "));
    },
  };
}

/** None for an update without a new image. */
function podToCheck(attributes: AdmissionAttributes): Pod | undefined {
  const write = podWriteOf(attributes);
  if (write?.old === undefined) return write?.pod;
  const known = new Set(containersOf(write.old.spec).map(({ container }) => container.image));
  const isKnown = containersOf(write.pod.spec).every(({ container }) => known.has(container.image));
  return isKnown ? undefined : write.pod;
}

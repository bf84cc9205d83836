import { FieldPath, notSupported } from "../../apimachinery/errors/field-error.js";
import { allContainers, placedContainers } from "../../apis/core/pod-spec/containers.js";
import type { Pod } from "../../apis/gen/core-v1.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { refused } from "../chain/refusal.js";
import { podWriteOf } from "../checks/pod-writes.js";

/** Makes pods pull their images on each start, so that only users who may pull a private image can run it. */
export function alwaysPullImages(): AdmissionPlugin {
  return {
    operations: ["CREATE", "UPDATE"],
    mutate(attributes) {
      const pod = podToCheck(attributes);
      if (pod === undefined) return;
      for (const container of allContainers(pod.spec)) container.imagePullPolicy = "Always";
      for (const { image } of pod.spec.volumes ?? []) if (image !== undefined) image.pullPolicy = "Always";
    },
    validate(attributes) {
      const pod = podToCheck(attributes);
      if (pod === undefined) return;
      const policies = [
        ...placedContainers(pod.spec, FieldPath.of("spec")).map(({ container, path }) => ({
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
  const known = new Set(allContainers(write.old.spec).map(({ image }) => image));
  const isKnown = allContainers(write.pod.spec).every(({ image }) => known.has(image));
  return isKnown ? undefined : write.pod;
}

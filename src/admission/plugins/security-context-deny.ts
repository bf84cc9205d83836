import { forbiddenError } from "../../apimachinery/errors/status.js";
import { allContainers } from "../../apis/core/pod-spec/containers.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { podWriteOf } from "../checks/pod-writes.js";

/** Refuses the fields of security contexts with which a pod chooses its users, groups and labels. */
export function securityContextDeny(): AdmissionPlugin {
  return {
    operations: ["CREATE", "UPDATE"],
    validate(attributes) {
      const write = podWriteOf(attributes, ["ephemeralcontainers"]);
      if (write === undefined) return;
      const { spec, metadata } = write.pod;
      const refuse = (what: string): never => {
        throw forbiddenError(attributes.resource, metadata.name ?? "", `${what} is forbidden`);
      };
      const { supplementalGroups, seLinuxOptions, runAsUser, fsGroup } = spec.securityContext ?? {};
      if ((supplementalGroups?.length ?? 0) > 0) refuse("pod.Spec.SecurityContext.SupplementalGroups");
      if (seLinuxOptions !== undefined) refuse("pod.Spec.SecurityContext.SELinuxOptions");
      if (runAsUser !== undefined) refuse("pod.Spec.SecurityContext.RunAsUser");
      if (fsGroup !== undefined) refuse("pod.Spec.SecurityContext.FSGroup");
      for (const { securityContext } of allContainers(spec)) {
        if (securityContext?.seLinuxOptions !== undefined) refuse("SecurityContext.SELinuxOptions");
        if (securityContext?.runAsUser !== undefined) refuse("SecurityContext.RunAsUser");
      }
    },
  };
}

import { forbiddenError } from "../../apimachinery/errors/status.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { podWriteOf } from "../checks/pod-writes.js";
import type { PluginContext } from "./plugin-context.js";

/** Pods may keep others off their node, but not off a zone or the whole cluster. */
export function limitPodHardAntiAffinityTopology({ naming }: Pick<PluginContext, "naming">): AdmissionPlugin {
  const hostName = `${naming.domain}/hostname`;
  return {
    operations: ["CREATE", "UPDATE"],
    validate(attributes) {
      const write = podWriteOf(attributes);
      if (write === undefined) return;
      const { spec, metadata } = write.pod;
      for (const { topologyKey } of spec.affinity?.podAntiAffinity
        ?.requiredDuringSchedulingIgnoredDuringExecution ?? []) {
        if (topologyKey === hostName) continue;
        throw forbiddenError(
          attributes.resource,
          metadata.name ?? "",
          `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${topologyKey} but only key ${hostName} is allowed`,
        );
      }
    },
  };
}

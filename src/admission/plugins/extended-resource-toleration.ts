import { isExtendedResource } from "../../apis/checks/resource-names.js";
import type { Toleration } from "../../apis/gen/core-v1.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { podWriteOf } from "../checks/pod-writes.js";
import type { PluginContext } from "./plugin-context.js";

/** Makes pods that request an extended resource tolerate the taint that keeps other pods off its nodes. */
export function extendedResourceToleration({ naming }: Pick<PluginContext, "naming">): AdmissionPlugin {
  return {
    operations: ["CREATE", "UPDATE"],
    mutate(attributes) {
      const write = podWriteOf(attributes);
      if (write === undefined) return;
      const { spec } = write.pod;
      const names = [...(spec.initContainers ?? []), ...(spec.containers ?? [])]
        .flatMap(({ resources }) => Object.keys(resources?.requests ?? {}))
        .filter((name) => isExtendedResource(name, naming));
      for (const key of [...new Set(names)].sort()) {
        spec.tolerations = withToleration(spec.tolerations ?? [], {
          key,
          operator: "Exists",
          effect: "NoSchedule",
        });
      }
    },
  };
}

function withToleration(tolerations: readonly Toleration[], added: Toleration): Toleration[] {
  const isSame = ({ key = "", operator = "", effect = "", value = "" }: Toleration): boolean =>
    key === added.key && operator === added.operator && effect === added.effect && value === "";
  if (!tolerations.some(isSame)) return [...tolerations, added];
  return tolerations.map((toleration) => (isSame(toleration) ? added : toleration));
}

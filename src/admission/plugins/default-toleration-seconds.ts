import type { Toleration } from "../../apis/gen/core-v1.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { podWriteOf } from "../checks/pod-writes.js";
import type { PluginContext } from "./plugin-context.js";

/**
 * Adds tolerations to pods without their own, so that they stay for a while on nodes that are not ready or unreachable.
 */
export function defaultTolerationSeconds({
  naming,
  options,
}: Pick<PluginContext, "naming" | "options">): AdmissionPlugin {
  const defaults = [
    [`node.${naming.domain}/not-ready`, options.defaultNotReadyTolerationSeconds],
    [`node.${naming.domain}/unreachable`, options.defaultUnreachableTolerationSeconds],
  ] as const;
  return {
    operations: ["CREATE", "UPDATE"],
    mutate(attributes) {
      const write = podWriteOf(attributes);
      if (write === undefined) return;
      const { spec } = write.pod;
      for (const [key, tolerationSeconds] of defaults) {
        if ((spec.tolerations ?? []).some((toleration) => toleratesEviction(toleration, key))) continue;
        spec.tolerations = [
          ...(spec.tolerations ?? []),
          { key, operator: "Exists", effect: "NoExecute", tolerationSeconds },
        ];
      }
    },
  };
}

function toleratesEviction({ key = "", effect = "" }: Toleration, taint: string): boolean {
  return (key === "" || key === taint) && (effect === "" || effect === "NoExecute");
}

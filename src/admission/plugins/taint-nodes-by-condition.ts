import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { writesOf } from "../checks/writes-of.js";
import type { PluginContext } from "./plugin-context.js";

/** Keeps pods off a new node until it is ready. */
export function taintNodesByCondition({ naming }: Pick<PluginContext, "naming">): AdmissionPlugin {
  const key = `node.${naming.domain}/not-ready`;
  const writesNode = writesOf("nodes", naming);
  return {
    operations: ["CREATE"],
    mutate(attributes) {
      if (!writesNode(attributes) || attributes.object === undefined) return;
      const { spec } = attributes.object;
      const taints = spec.taints ?? [];
      if (taints.some((taint) => taint.key === key && taint.effect === "NoSchedule")) return;
      spec.taints = [...taints, { key, effect: "NoSchedule" }];
    },
  };
}

import type { Node } from "../../apis/gen/core-v1.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import type { PluginContext } from "./plugin-context.js";

/** Keeps pods off a new node until it is ready. */
export function taintNodesByCondition({ naming }: Pick<PluginContext, "naming">): AdmissionPlugin {
  const key = `node.${naming.domain}/not-ready`;
  return {
    operations: ["CREATE"],
    mutate({ resource, subresource, object }) {
      if (resource.resource !== "nodes" || resource.group !== "" || subresource !== "") return;
      const { spec } = object as Node; // the type of the resource
      const taints = spec.taints ?? [];
      if (taints.some((taint) => taint.key === key && taint.effect === "NoSchedule")) return;
      spec.taints = [...taints, { key, effect: "NoSchedule" }];
    },
  };
}

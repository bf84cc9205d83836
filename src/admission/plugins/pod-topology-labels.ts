import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { Binding } from "../../apis/gen/core-v1.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { writesOf } from "../checks/writes-of.js";
import type { PluginContext } from "./plugin-context.js";

type Context = Pick<PluginContext, "naming" | "cluster" | "isEnabled">;

/**
 * Labels pods with the zone and region of their node: pods that are created on a node, and bindings, whose labels are copied to the pods.
 * Existing labels stay. Source: KEP-4742.
 */
export function podTopologyLabels({ naming, cluster, isEnabled }: Context): AdmissionPlugin {
  if (!isEnabled("PodTopologyLabelsAdmission")) return { operations: ["CREATE"] };
  const keys = ["zone", "region"].map((name) => `topology.${naming.domain}/${name}`);
  const writesPod = writesOf("pods", naming);
  const nodes = cluster.follow("nodes", {
    view: (stored) => {
      const { labels = {} } = stored.decode().metadata;
      return Object.fromEntries(Object.entries(labels).filter(([key]) => keys.includes(key)));
    },
  });
  const label = (object: ApiObject, nodeName: string): void => {
    const topology = nodeName === "" ? undefined : nodes.get(nodeName);
    if (topology === undefined || Object.keys(topology).length === 0) return;
    object.metadata.labels = { ...topology, ...object.metadata.labels };
  };
  return {
    operations: ["CREATE"],
    mutate(attributes) {
      if (writesPod(attributes)) {
        const pod = attributes.object;
        if (pod !== undefined) label(pod, pod.spec.nodeName ?? "");
        return;
      }
      const { resource, subresource, object } = attributes;
      if (resource.resource !== "pods" || resource.group !== "" || subresource !== "binding") return;
      const binding = object as (Binding & ApiObject) | undefined; // what is posted to the subresource
      if (binding?.target.kind === "Node") label(binding, binding.target.name ?? "");
    },
  };
}

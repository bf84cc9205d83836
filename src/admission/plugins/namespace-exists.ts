import { notFound } from "../../apimachinery/errors/status.js";
import type { Namespace } from "../../apis/gen/core-v1.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { isNamespace } from "../matching/match.js";
import type { PluginContext } from "./plugin-context.js";

/** Refuses writes in a namespace that does not exist. */
export function namespaceExists({ namespaces }: Pick<PluginContext, "namespaces">): AdmissionPlugin {
  return {
    operations: ["CREATE", "UPDATE", "DELETE"],
    async validate(attributes) {
      const { namespace } = attributes;
      if (!isInNamespace(attributes) || namespaces.get(namespace) !== undefined) return;
      if ((await namespaces.read(namespace)) === undefined) {
        throw notFound({ group: "", resource: "namespaces" }, namespace);
      }
    },
  };
}

/** Creates the missing namespace of a new object. */
export function namespaceAutoProvision({
  namespaces,
  cluster,
}: Pick<PluginContext, "namespaces" | "cluster">): AdmissionPlugin {
  return {
    operations: ["CREATE"],
    async mutate(attributes) {
      const { namespace, dryRun } = attributes;
      if (dryRun || !isInNamespace(attributes) || namespaces.get(namespace) !== undefined) return;
      const missing: Namespace = { metadata: { name: namespace }, spec: {}, status: {} };
      await cluster.create("namespaces", "", missing);
    },
  };
}

function isInNamespace(attributes: AdmissionAttributes): boolean {
  return attributes.namespace !== "" && !isNamespace(attributes);
}

import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ApiContext } from "../../definition/api-context.js";
import { defineResource, hub, partVerbs } from "../../definition/define-resource.js";
import type {
  ResourceDefinition,
  SubresourceDefinition,
  Verb,
} from "../../definition/resource-definition.js";
import type { Pod } from "../../gen/core-v1.js";
import { podColumns } from "./columns.js";
import { setPodDefaults } from "./defaults.js";
import { podStrategies } from "./strategy.js";

export function pods(context: ApiContext): ResourceDefinition<Pod> {
  const { main, status, ephemeralContainers, resize } = podStrategies(context);
  const selectsHostNetwork = isAtLeast(context.level, "1.28");
  return defineResource<Pod>({
    group: "",
    resource: "pods",
    kind: "Pod",
    namespaced: true,
    shortNames: ["po"],
    categories: ["all"],
    versions: [
      hub<Pod>(context, {
        version: "v1",
        type: "core/v1.Pod",
        setDefaults: (pod) => setPodDefaults(pod, context),
      }),
    ],
    storage: { version: "v1", prefix: "/pods" },
    strategy: main,
    returnsDeletedObject: true,
    subresources: [
      operation("attach", "PodAttachOptions", ["create", "get"]),
      operation("binding", "Binding", ["create"]),
      ...(context.isEnabled("EphemeralContainers")
        ? [
            {
              kind: "part" as const,
              name: "ephemeralcontainers",
              verbs: partVerbs,
              strategy: ephemeralContainers,
            },
          ]
        : []),
      {
        kind: "operation",
        name: "eviction",
        verbs: ["create"],
        object: { group: "policy", version: "v1", kind: "Eviction" },
      },
      operation("exec", "PodExecOptions", ["create", "get"]),
      operation("log", "Pod", ["get"]),
      operation("portforward", "PodPortForwardOptions", ["create", "get"]),
      operation("proxy", "PodProxyOptions", ["create", "delete", "get", "patch", "update"]),
      ...(context.isEnabled("InPlacePodVerticalScaling")
        ? [
            {
              kind: "part" as const,
              name: "resize",
              since: "1.32" as const,
              verbs: partVerbs,
              strategy: resize,
            },
          ]
        : []),
      { kind: "part", name: "status", verbs: partVerbs, strategy: status },
    ],
    selectableFields: {
      names: [
        // A deprecated name of spec.nodeName that clients may still use.
        "spec.host",
        ...(selectsHostNetwork ? ["spec.hostNetwork"] : []),
        "spec.nodeName",
        "spec.restartPolicy",
        "spec.schedulerName",
        "spec.serviceAccountName",
        "status.nominatedNodeName",
        "status.phase",
        "status.podIP",
        // Accepted in selectors, but no object has a value for it.
        "status.podIPs",
      ],
      values: ({ spec, status }) => ({
        "spec.host": spec.nodeName ?? "",
        ...(selectsHostNetwork && { "spec.hostNetwork": String(spec.hostNetwork === true) }),
        "spec.nodeName": spec.nodeName ?? "",
        "spec.restartPolicy": spec.restartPolicy ?? "",
        "spec.schedulerName": spec.schedulerName ?? "",
        "spec.serviceAccountName": spec.serviceAccountName ?? "",
        "status.nominatedNodeName": status.nominatedNodeName ?? "",
        "status.phase": status.phase ?? "",
        "status.podIP": status.podIPs?.[0]?.ip ?? "",
        "status.podIPs": "",
      }),
    },
    columns: podColumns(context.level),
  });
}

function operation(name: string, kind: string, verbs: readonly Verb[]): SubresourceDefinition<Pod> {
  return { kind: "operation", name, verbs, object: { group: "", version: "", kind } };
}

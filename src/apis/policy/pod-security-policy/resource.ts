import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { column, nameColumn } from "../../definition/columns.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { PodSecurityPolicy } from "../../gen/policy-v1beta1.js";
import { validatePodSecurityPolicy } from "./validation.js";

export function podSecurityPolicies(context: ApiContext): ResourceDefinition<PodSecurityPolicy> {
  return defineResource<PodSecurityPolicy>({
    group: "policy",
    resource: "podsecuritypolicies",
    kind: "PodSecurityPolicy",
    namespaced: false,
    shortNames: ["psp"],
    versions: [
      hub<PodSecurityPolicy>(context, {
        version: "v1beta1",
        until: "1.25",
        type: "policy/v1beta1.PodSecurityPolicy",
        setDefaults: ({ spec }) => {
          spec.allowPrivilegeEscalation ??= true;
        },
        lifecycle: { introduced: "1.10", deprecated: "1.21", removed: "1.25" },
      }),
    ],
    storage: { version: "v1beta1", prefix: "/podsecuritypolicy" },
    strategy: strategy<PodSecurityPolicy>({
      validate: (_write, object) => validatePodSecurityPolicy(object, context.naming),
      validateUpdate: (_write, object) => validatePodSecurityPolicy(object, context.naming),
    }),
    returnsDeletedObject: true,
    columns,
  });
}

const columns: TableColumns<PodSecurityPolicy> = {
  columns: [
    nameColumn,
    column("Priv", "string", "Whether containers may be privileged."),
    column("Caps", "string", "Capabilities that may be asked for."),
    column("SELinux", "string", "Rule for SELinux labels."),
    column("RunAsUser", "string", "Rule for user ids."),
    column("FsGroup", "string", "Rule for groups of volumes."),
    column("SupGroup", "string", "Rule for supplemental groups."),
    column("ReadOnlyRootFs", "string", "Whether containers must leave their root file system alone."),
    column("Volumes", "string", "Kinds of volumes that may be used."),
  ],
  cells: ({ metadata, spec }) => [
    metadata.name ?? "",
    String(spec.privileged ?? false),
    (spec.allowedCapabilities ?? []).join(","),
    spec.seLinux.rule,
    spec.runAsUser.rule,
    spec.fsGroup.rule ?? "",
    spec.supplementalGroups.rule ?? "",
    spec.readOnlyRootFilesystem ?? false,
    (spec.volumes ?? []).join(","),
  ],
};

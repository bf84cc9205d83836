import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ApiContext } from "../../definition/api-context.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { Node } from "../../gen/core-v1.js";

export function nodeColumns({ naming, level }: Pick<ApiContext, "naming" | "level">): TableColumns<Node> {
  const versionField = naming.field("nodeagentVersion");
  return {
    columns: [
      nameColumn,
      column("Status", "string", "Whether the node is ready, and whether pods may be scheduled on it."),
      column("Roles", "string", "Roles that the node's labels name."),
      ageColumn,
      column("Version", "string", "Version of the agent on the node."),
      column("Internal-IP", "string", "Address inside of the cluster.", 1),
      column("External-IP", "string", "Address outside of the cluster.", 1),
      column("OS-Image", "string", "Operating system the node reports.", 1),
      column("Kernel-Version", "string", "Kernel the node reports.", 1),
      column("Container-Runtime", "string", "Container runtime the node reports.", 1),
    ],
    cells(object, now) {
      const info = object.status.nodeInfo;
      const version = info[versionField];
      return [
        object.metadata.name ?? "",
        statusText(object),
        rolesText(object, naming.domain),
        ageCell(object, now),
        typeof version === "string" ? version : "",
        addressOf(object, "InternalIP"),
        addressOf(object, "ExternalIP"),
        info.osImage || "<unknown>",
        kernelText(info, isAtLeast(level, "1.36")),
        info.containerRuntimeVersion || "<unknown>",
      ];
    },
  };
}

function kernelText(
  { kernelVersion, architecture }: Node["status"]["nodeInfo"],
  withMachine: boolean,
): string {
  const version = kernelVersion || "<unknown>";
  return withMachine && architecture !== "" ? `${version} (${architecture})` : version;
}

function statusText({ spec, status }: Node): string {
  const ready = status.conditions?.find((condition) => condition.type === "Ready");
  const text = ready === undefined ? "Unknown" : ready.status === "True" ? "Ready" : "NotReady";
  return spec.unschedulable === true ? `${text},SchedulingDisabled` : text;
}

function rolesText(object: Node, domain: string): string {
  const prefix = `node-role.${domain}/`;
  const roles = new Set<string>();
  for (const [label, value] of Object.entries(object.metadata.labels ?? {})) {
    const role = label.startsWith(prefix)
      ? label.slice(prefix.length)
      : label === `${domain}/role`
        ? value
        : "";
    if (role !== "") roles.add(role);
  }
  return roles.size === 0 ? "<none>" : [...roles].sort().join(",");
}

function addressOf({ status }: Node, type: string): string {
  return status.addresses?.find((address) => address.type === type)?.address ?? "<none>";
}

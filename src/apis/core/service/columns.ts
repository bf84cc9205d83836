import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { Service, ServicePort } from "../../gen/core-v1.js";

const none = "<none>";

export const serviceColumns: TableColumns<Service> = {
  columns: [
    nameColumn,
    column("Type", "string", "How the service is reached."),
    column("Cluster-IP", "string", "Address inside of the cluster, None without one of its own."),
    column("External-IP", "string", "Addresses or name outside of the cluster."),
    column("Port(s)", "string", "Ports, with the ports they have on every node."),
    ageColumn,
    column("Selector", "string", "Labels of the pods that it leads to.", 1),
  ],
  cells(object, now) {
    const { spec } = object;
    const ports = (spec.ports ?? []).map(portText).join(",");
    const selector = Object.entries(spec.selector ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .sort()
      .join(",");
    return [
      object.metadata.name ?? "",
      spec.type ?? "",
      spec.clusterIPs?.[0] ?? none,
      externalText(object),
      ports || none,
      ageCell(object, now),
      selector || none,
    ];
  },
};

function portText({ port, nodePort, protocol }: ServicePort): string {
  const onNode = nodePort === undefined || nodePort === 0 ? "" : `:${nodePort}`;
  return `${port}${onNode}/${protocol ?? ""}`;
}

function externalText({ spec, status }: Service): string {
  const addresses = spec.externalIPs ?? [];
  switch (spec.type) {
    case "ClusterIP":
    case "NodePort":
      return addresses.join(",") || none;
    case "LoadBalancer": {
      const assigned = (status.loadBalancer.ingress ?? []).map(({ ip, hostname }) => ip || hostname || "");
      const unique = [...new Set(assigned.filter((address) => address !== ""))].sort();
      return [...unique, ...addresses].join(",") || "<pending>";
    }
    case "ExternalName":
      return spec.externalName ?? "";
    default:
      return "<unknown>";
  }
}

import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { Ingress, IngressRule } from "../../gen/networking-v1.js";

export const ingressColumns: TableColumns<Ingress> = {
  columns: [
    nameColumn,
    column("Class", "string", "Ingress class whose controller serves it."),
    column("Hosts", "string", "Host names that it has rules for."),
    column("Address", "string", "Where the load balancer is reached."),
    column("Ports", "string", "Ports on which the hosts are served."),
    ageColumn,
  ],
  cells: (object, now) => [
    object.metadata.name ?? "",
    object.spec.ingressClassName ?? "<none>",
    hostsText(object.spec.rules ?? []),
    addressesText(object),
    (object.spec.tls ?? []).length > 0 ? "80, 443" : "80",
    ageCell(object, now),
  ],
};

const hostsMax = 3;

function hostsText(rules: readonly IngressRule[]): string {
  const hosts: string[] = [];
  let hasMore = false;
  for (const { host = "" } of rules) {
    if (hosts.length === hostsMax) hasMore = true;
    else if (host !== "") hosts.push(host);
  }
  if (hosts.length === 0) return "*";
  const text = hosts.join(",");
  return hasMore ? `${text} + ${rules.length - hostsMax} more...` : text;
}

function addressesText(object: Ingress): string {
  const addresses = (object.status.loadBalancer.ingress ?? [])
    .map(({ ip, hostname }) => ip ?? hostname ?? "")
    .filter((address) => address !== "");
  return [...new Set(addresses)].sort().join(",");
}

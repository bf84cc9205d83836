import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { EndpointSubset, Endpoints } from "../../gen/core-v1.js";

/** Further addresses are only counted. */
const shownMax = 3;

export const endpointsColumns: TableColumns<Endpoints> = {
  columns: [
    nameColumn,
    column("Endpoints", "string", "The first addresses that are ready, with their ports."),
    ageColumn,
  ],
  cells: (object, now) => [object.metadata.name ?? "", endpointsText(object.subsets), ageCell(object, now)],
};

function endpointsText(subsets: readonly EndpointSubset[] | undefined): string {
  if (subsets === undefined || subsets.length === 0) return "<none>";
  const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0
      ? addresses.map(({ ip }) => ip)
      : ports.flatMap(({ port }) => addresses.map(({ ip }) => hostPort(ip, port))),
  );
  const shown = all.slice(0, shownMax).join(",");
  return all.length > shownMax ? `${shown} + ${all.length - shownMax} more...` : shown;
}

function hostPort(ip: string, port: number): string {
  return ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`;
}

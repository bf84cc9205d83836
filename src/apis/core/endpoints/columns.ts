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
  const shown: string[] = [];
  let count = 0;
  for (const subset of subsets) {
    const { addresses = [], ports = [] } = subset;
    count += addresses.length * Math.max(1, ports.length);
    // An object may have thousands of addresses and ports.
    for (const text of firstOf(subset, shownMax - shown.length)) shown.push(text);
  }
  return count > shownMax ? `${shown.join(",")} + ${count - shownMax} more...` : shown.join(",");
}

/** At most `count` addresses of a subset, each with each of its ports. */
function firstOf({ addresses = [], ports = [] }: EndpointSubset, count: number): string[] {
  const first = addresses.slice(0, count);
  if (ports.length === 0) return first.map(({ ip }) => ip);
  return ports
    .slice(0, count)
    .flatMap(({ port }) => first.map(({ ip }) => hostPort(ip, port)))
    .slice(0, count);
}

function hostPort(ip: string, port: number): string {
  return ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`;
}

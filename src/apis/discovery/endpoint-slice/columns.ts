import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { firstFewText } from "../../definition/first-few-text.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { EndpointPort, EndpointSlice } from "../../gen/discovery-v1.js";

export const endpointSliceColumns: TableColumns<EndpointSlice> = {
  columns: [
    nameColumn,
    column("AddressType", "string", "Kind of the addresses: IPv4, IPv6 or FQDN."),
    column("Ports", "string", "Ports that every endpoint serves."),
    column("Endpoints", "string", "Addresses of the endpoints."),
    ageColumn,
  ],
  cells: (object, now) => [
    object.metadata.name ?? "",
    object.addressType,
    firstFewText((object.ports ?? []).map(portText)),
    firstFewText((object.endpoints ?? []).flatMap((endpoint) => endpoint.addresses ?? [])),
    ageCell(object, now),
  ],
};

function portText({ port, name }: EndpointPort): string {
  if (port !== undefined) return String(port);
  return name ?? "*";
}

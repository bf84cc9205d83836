import { column, nameColumn, sinceCell } from "../../definition/columns.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { PoolStatus, ResourcePoolStatusRequest } from "../../gen/resource-v1alpha3.js";

export const resourcePoolStatusRequestColumns: TableColumns<ResourcePoolStatusRequest> = {
  columns: [
    nameColumn,
    column("Driver", "string", "The driver whose pools are asked for."),
    column("Total", "string", "Devices in all pools."),
    column("Available", "string", "Devices that may be allocated."),
    column("Allocated", "string", "Devices that are allocated."),
    column("Unavailable", "string", "Devices that cannot be allocated."),
    column("Errors", "string", "Pools with errors."),
    column("Pools", "integer", "Pools that match."),
    column("Status", "string", "Whether the request is answered."),
    column("Completed", "string", "Time since it was answered."),
  ],
  cells({ metadata, spec, status }, now) {
    const { pools = [], poolCount = 0, conditions = [] } = status ?? {};
    const outcome = conditions.find(
      ({ type, status: is }) => (type === "Complete" || type === "Failed") && is === "True",
    );
    const isComplete = outcome?.type === "Complete";
    const isCut = isComplete && poolCount > pools.length;
    const hasCounts = status !== undefined && outcome?.type !== "Failed";
    const sumOf = (count: (pool: PoolStatus) => number | undefined): string =>
      hasCounts ? `${pools.reduce((sum, pool) => sum + (count(pool) ?? 0), 0)}` : "-";
    return [
      metadata.name ?? "",
      spec.driver,
      sumOf(({ totalDevices }) => totalDevices),
      sumOf(({ availableDevices }) => availableDevices),
      sumOf(({ allocatedDevices }) => allocatedDevices),
      sumOf(({ unavailableDevices }) => unavailableDevices),
      sumOf(({ validationError }) => (validationError === undefined ? 0 : 1)),
      poolCount,
      `${outcome?.type ?? "Pending"}${isCut ? ` (${pools.length}/${poolCount} pools)` : ""}`,
      isComplete ? sinceCell(outcome?.lastTransitionTime, now) : "<none>",
    ];
  },
};

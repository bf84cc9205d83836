import type { FlowControl } from "../../access/flowcontrol/flow-control.js";
import type { QueuedRequest } from "../../access/flowcontrol/priority-level.js";
import { formatDuration } from "../../apimachinery/values/duration.js";
import type { RequestContext } from "../../serving/request/request-context.js";
import type { Route } from "../../serving/routing/router.js";

const prefix = "/debug/api_priority_and_fairness";

/**
 * Tables of flow control's current state. Source: Kubernetes documentation, "API Priority and Fairness", "Debugging".
 */
export function flowControlRoutes(
  control: FlowControl,
  now: () => { monotonicMs: number; wallMs: number },
): Route[] {
  return [
    route("dump_priority_levels", () => levels(control)),
    route("dump_queues", () => queues(control)),
    route("dump_requests", ({ query }) => {
      const { monotonicMs, wallMs } = now();
      return requests(control, wallMs - monotonicMs, query.has("includeRequestDetails"));
    }),
  ];
}

type Row = readonly (string | number | boolean)[];

function route(name: string, rowsOf: (context: RequestContext) => Row[]): Route {
  return {
    path: `${prefix}/${name}`,
    listed: false,
    handle: async (context) => {
      const text = aligned(rowsOf(context));
      context.exchange.respond(200, { "Content-Type": "text/plain; charset=utf-8" }, text);
    },
  };
}

/** Commas after all columns but the last, which are aligned. */
function aligned(rows: readonly Row[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, value] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, String(value).length);
    }
  }
  const line = (row: Row): string =>
    row
      .map((value, column) =>
        column === row.length - 1 ? value : `${value},`.padEnd((widths[column] ?? 0) + 2),
      )
      .join("");
  return rows.map((row) => `${line(row)}\n`).join("");
}

const none = "<none>";

function levels(control: FlowControl): Row[] {
  const rows: Row[] = [
    ["PriorityLevelName", "ActiveQueues", "IsIdle", "IsQuiescing", "WaitingRequests", "ExecutingRequests"],
  ];
  for (const { name, queues: held } of control.levels) {
    if (held === undefined) {
      rows.push([name, none, none, none, none, none]);
      continue;
    }
    const isIdle = held.running === 0 && held.waiting === 0;
    rows.push([name, held.activeQueues, isIdle, false, held.waiting, held.running]);
  }
  return rows;
}

function queues(control: FlowControl): Row[] {
  const rows: Row[] = [
    [
      "PriorityLevelName",
      "Index",
      "PendingRequests",
      "ExecutingRequests",
      "SeatsInUse",
      "NextDispatchR",
      "InitialSeatsSum",
      "MaxSeatsSum",
      "TotalWorkSum",
    ],
  ];
  for (const { name, queues: held } of control.levels) {
    if (held === undefined) {
      rows.push([name, ...new Array<string>(8).fill(none)]);
      continue;
    }
    for (const { index, waiting, running, seatsRunning, nextStart } of held.dump()) {
      const seats = waiting.reduce((sum, { work }) => sum + work.seats, 0);
      const widest = waiting.reduce((sum, { work }) => sum + Math.max(work.seats, work.finalSeats), 0);
      const total = waiting.reduce((sum, { work }) => sum + (work.finalSeats * work.finalMs) / 1000, 0);
      rows.push([
        name,
        index,
        waiting.length,
        running,
        seatsRunning,
        `${(nextStart / 1000).toFixed(8)}ss`,
        seats,
        widest,
        `${total.toFixed(8)}ss`,
      ]);
    }
  }
  return rows;
}

const requestColumns = [
  "PriorityLevelName",
  "FlowSchemaName",
  "QueueIndex",
  "RequestIndexInQueue",
  "FlowDistingsher", // as Kubernetes spells it
  "ArriveTime",
  "InitialSeats",
  "FinalSeats",
  "AdditionalLatency",
];
const detailColumns = [
  "UserName",
  "Verb",
  "APIPath",
  "Namespace",
  "Name",
  "APIVersion",
  "Resource",
  "SubResource",
];

/** `epochMs` is the start of the monotonic clock. */
function requests(control: FlowControl, epochMs: number, withDetails: boolean): Row[] {
  const columns = withDetails ? [...requestColumns, ...detailColumns] : requestColumns;
  const rows: Row[] = [columns];
  for (const { name, queues: held } of control.levels) {
    if (held === undefined) {
      rows.push([name, ...new Array<string>(columns.length - 1).fill(none)]);
      continue;
    }
    for (const { index, waiting } of held.dump()) {
      for (const [place, { about, arrivedAt, work }] of waiting.entries()) {
        rows.push([
          name,
          about.flowSchema,
          index,
          place,
          about.distinguisher,
          new Date(epochMs + arrivedAt).toISOString(),
          work.seats,
          work.finalSeats,
          formatDuration(BigInt(Math.round(work.finalMs * 1e6))),
          ...(withDetails ? detailsOf(about) : []),
        ]);
      }
    }
  }
  return rows;
}

function detailsOf({ user, info }: QueuedRequest): Row {
  return [
    user.name,
    info.verb,
    info.path,
    info.namespace,
    info.name,
    info.apiGroup === "" ? info.apiVersion : `${info.apiGroup}/${info.apiVersion}`,
    info.resource,
    info.subresource,
  ];
}

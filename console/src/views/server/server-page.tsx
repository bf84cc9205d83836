import { useComputed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { followMetrics, latest, metricsProblem, type Reading, readings } from "../../api/metrics.ts";
import { nameOf } from "../../state/session.ts";
import { Chart } from "./chart.tsx";
import { Checks } from "./checks.tsx";
import { levels, quantiles, rates, ratesBy, type Series } from "./series.ts";
import { CachesTable, PriorityLevelsTable, WebhooksTable } from "./tables.tsx";
import { bytes, percent, perSecond, seconds, short } from "./units.ts";

/** The server's state, from its own metrics since this page was first opened. */
export function ServerPage() {
  useEffect(() => followMetrics(), []);
  return (
    <div class="page">
      <div class="bar">
        <h1>Server</h1>
        <span class="soft">from /metrics, every two seconds, as long as somebody looks</span>
      </div>
      {metricsProblem.value !== "" && (
        <p class="notice bad" role="alert">
          {metricsProblem}
        </p>
      )}
      <Checks />
      <Figures />
      <div class="charts">
        <Charts />
      </div>
      <PriorityLevelsTable />
      <WebhooksTable />
      <CachesTable />
    </div>
  );
}

function Figures() {
  const reading = latest.value;
  if (reading === undefined) return null;
  const since = reading.sum("process_start_time_seconds");
  const figures = [
    ["up", since === 0 ? "–" : upFor(reading.atMs / 1000 - since)],
    ["objects", short(reading.sum("apiserver_storage_objects"))],
    ["store", bytes(storeSize(reading))],
    ["memory", bytes(reading.sum("process_resident_memory_bytes"))],
    ["watches", short(reading.sum("apiserver_longrunning_requests", isWatch))],
    ["requests so far", short(reading.sum("apiserver_request_total"))],
    [lanesText(reading), short(reading.sum("apiserver_lanes"))],
    ["open files", short(reading.sum("process_open_fds"))],
  ];
  return (
    <div class="tiles">
      {figures.map(([name, text]) => (
        <div key={name} class="tile">
          <b>{text}</b>
          <span>{name}</span>
        </div>
      ))}
    </div>
  );
}

/** At later API levels this metric has another name. */
function storeSize(reading: Reading): number {
  const names = [
    `${nameOf("storeName")}_db_total_size_in_bytes`,
    "apiserver_storage_size_bytes",
    "apiserver_storage_db_total_size_in_bytes",
  ];
  return names.map((name) => reading.sum(name)).find((size) => size > 0) ?? 0;
}

function lanesText(reading: Reading): string {
  const waiting = reading.sum("apiserver_lane_requests_waiting");
  return waiting === 0 ? "lanes" : `lanes, ${waiting} waiting`;
}

function upFor(total: number): string {
  const minutes = Math.floor(total / 60);
  if (minutes < 2) return `${Math.floor(total)} s`;
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

const isAnswered = (labels: ReadonlyMap<string, string>): boolean =>
  !/^(WATCH|CONNECT|WATCHLIST)$/.test(labels.get("verb") ?? "");
const isWatch = (labels: ReadonlyMap<string, string>): boolean => /^WATCH/.test(labels.get("verb") ?? "");
const isWrite = (labels: ReadonlyMap<string, string>): boolean =>
  /^(create|update|delete)$/.test(labels.get("operation") ?? "");

function Charts() {
  const store = nameOf("storeName");
  const shown: readonly (readonly [
    string,
    (value: number) => string,
    (all: readonly Reading[]) => Series,
  ])[] = [
    ["Requests by verb", perSecond, (all) => ratesBy(all, "apiserver_request_total", "verb", 6)],
    ["Requests by resource", perSecond, (all) => ratesBy(all, "apiserver_request_total", "resource", 6)],
    ["Requests by code", perSecond, (all) => ratesBy(all, "apiserver_request_total", "code", 6)],
    [
      "Latency, without watches",
      seconds,
      (all) => quantiles(all, "apiserver_request_duration_seconds", [0.5, 0.9, 0.99], isAnswered),
    ],
    [
      "Processor",
      percent,
      (all) =>
        rates(all, {
          user: (each) => each.sum("process_cpu_user_seconds_total"),
          system: (each) => each.sum("process_cpu_system_seconds_total"),
        }),
    ],
    [
      "Event loop: how long it was held",
      seconds,
      (all) =>
        levels(all, {
          median: (each) => each.sum("nodejs_eventloop_lag_p50_seconds"),
          p99: (each) => each.sum("nodejs_eventloop_lag_p99_seconds"),
          longest: (each) => each.sum("nodejs_eventloop_lag_max_seconds"),
        }),
    ],
    [
      "Memory",
      bytes,
      (all) =>
        levels(all, {
          resident: (each) => each.sum("process_resident_memory_bytes"),
          "heap in use": (each) => each.sum("nodejs_heap_size_used_bytes"),
          external: (each) => each.sum("nodejs_external_memory_bytes"),
        }),
    ],
    [
      "Requests in flight",
      short,
      (all) =>
        levels(all, {
          reads: (each) => each.sum("apiserver_current_inflight_requests", kindIs("readOnly")),
          writes: (each) => each.sum("apiserver_current_inflight_requests", kindIs("mutating")),
          "in queues": (each) => each.sum("apiserver_current_inqueue_requests"),
        }),
    ],
    [
      "Large requests: lanes",
      short,
      (all) =>
        levels(all, {
          "in lanes": (each) => each.sum("apiserver_lane_requests_running"),
          waiting: (each) => each.sum("apiserver_lane_requests_waiting"),
        }),
    ],
    [
      "Events for watches",
      perSecond,
      (all) =>
        rates(all, {
          sent: (each) => each.sum("apiserver_watch_events_total"),
          "taken into caches": (each) => each.sum("apiserver_watch_cache_events_dispatched_total"),
          "ended for falling behind": (each) => each.sum("apiserver_terminated_watchers_total"),
        }),
    ],
    [
      "Watches: time from a commit to its event",
      seconds,
      (all) => quantiles(all, "apiserver_watch_events_dispatch_duration_seconds", [0.5, 0.99], () => true),
    ],
    [
      "Store: commits and reads",
      perSecond,
      (all) =>
        rates(all, {
          commits: (each) => each.sum(`${store}_request_duration_seconds_count`, isWrite),
          reads: (each) => each.sum(`${store}_request_duration_seconds_count`, (labels) => !isWrite(labels)),
        }),
    ],
    [
      "Store: time of a commit",
      seconds,
      (all) => quantiles(all, `${store}_request_duration_seconds`, [0.5, 0.99], isWrite),
    ],
    ["Store: size", bytes, (all) => levels(all, { store: storeSize })],
    [
      "Audit",
      perSecond,
      (all) =>
        rates(all, {
          events: (each) => each.sum("apiserver_audit_event_total"),
          lost: (each) => each.sum("apiserver_audit_error_total"),
        }),
    ],
  ];
  return (
    <>
      {shown.map(([title, format, make]) => (
        <Derived key={title} title={title} format={format} make={make} />
      ))}
    </>
  );
}

function Derived(props: {
  readonly title: string;
  readonly format: (value: number) => string;
  readonly make: (all: readonly Reading[]) => Series;
}) {
  const series = useComputed(() => props.make(readings.value));
  return <Chart title={props.title} format={props.format} series={series} />;
}

function kindIs(kind: string): (labels: ReadonlyMap<string, string>) => boolean {
  return (labels) => labels.get("request_kind") === kind;
}

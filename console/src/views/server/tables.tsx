import type { ComponentChildren } from "preact";
import { latest, type Reading, readings } from "../../api/metrics.ts";
import { perSecond, seconds, short } from "./units.ts";

/** Queues and seats of priority and fairness. */
export function PriorityLevelsTable() {
  const reading = latest.value;
  const prefix = "apiserver_flowcontrol_";
  const seats = reading?.valuesBy(`${prefix}request_concurrency_limit`, "priority_level");
  if (reading === undefined || seats === undefined || seats.size === 0) return null;
  const by = (name: string) => reading.valuesBy(`${prefix}${name}`, "priority_level");
  const executing = by("current_executing_requests");
  const waiting = by("current_inqueue_requests");
  const dispatched = by("dispatched_requests_total");
  const rejected = by("rejected_requests_total");
  return (
    <Table
      title="Priority levels"
      columns={["Level", "Seats", "Running", "Waiting", "Given a seat", "Refused"]}
      rows={[...seats.keys()]
        .sort()
        .map((level) => [
          level,
          short(seats.get(level) ?? 0),
          short(executing.get(level) ?? 0),
          short(waiting.get(level) ?? 0),
          short(dispatched.get(level) ?? 0),
          short(rejected.get(level) ?? 0),
        ])}
    />
  );
}

/** Calls of admission webhooks, and how long they take. */
export function WebhooksTable() {
  const reading = latest.value;
  const name = "apiserver_admission_webhook_admission_duration_seconds";
  const counts = reading?.valuesBy(`${name}_count`, "name");
  if (reading === undefined || counts === undefined || counts.size === 0) return null;
  const sums = reading.valuesBy(`${name}_sum`, "name");
  const refusals = reading.valuesBy("apiserver_admission_webhook_rejection_count", "name");
  const passed = reading.valuesBy("apiserver_admission_webhook_fail_open_count", "name");
  return (
    <Table
      title="Admission webhooks"
      columns={["Webhook", "Calls", "Average time", "Refusals", "Passed although it failed"]}
      rows={[...counts].map(([webhook, count]) => [
        webhook,
        short(count),
        seconds((sums.get(webhook) ?? 0) / Math.max(1, count)),
        short(refusals.get(webhook) ?? 0),
        short(passed.get(webhook) ?? 0),
      ])}
    />
  );
}

/** Size of the watch caches, for resources that are in use. */
export function CachesTable() {
  const reading = latest.value;
  if (reading === undefined) return null;
  const watchers = reading.valuesBy("watch_cache_watchers", "resource");
  const capacity = reading.valuesBy("watch_cache_capacity", "resource");
  const events = reading.valuesBy("apiserver_watch_cache_events_dispatched_total", "resource");
  const reads = reading.valuesBy("watch_cache_store_reads_total", "resource");
  const before = earlier(reading);
  const eventsBefore = before?.valuesBy("apiserver_watch_cache_events_dispatched_total", "resource");
  const passedSeconds = before === undefined ? 1 : (reading.atMs - before.atMs) / 1000;
  const used = [...watchers.keys()].sort();
  if (used.length === 0) return null;
  return (
    <Table
      title="Watch caches"
      columns={["Kind", "Watchers", "Events", "Events now", "Room for events", "Reads of the store"]}
      rows={used.map((resource) => [
        // The label's values begin with an asterisk.
        resource.replace(/^\*/, ""),
        short(watchers.get(resource) ?? 0),
        short(events.get(resource) ?? 0),
        perSecond(
          eventsBefore === undefined
            ? 0
            : Math.max(0, (events.get(resource) ?? 0) - (eventsBefore.get(resource) ?? 0)) / passedSeconds,
        ),
        short(capacity.get(resource) ?? 0),
        short(reads.get(resource) ?? 0),
      ])}
    />
  );
}

function earlier(reading: Reading): Reading | undefined {
  const all = readings.value;
  return all[all.indexOf(reading) - 1];
}

function Table(props: {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
}) {
  return (
    <div>
      <h2>{props.title}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys */}
      <section class="figures" aria-label={props.title} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {props.columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {props.rows.map(([first, ...others]) => (
              <tr key={String(first)}>
                <th scope="row">{first}</th>
                {others.map((cell, index) => (
                  <td key={props.columns[index + 1]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

import { beforeEach, expect, test, vi } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { Metrics } from "../../telemetry/metrics.js";
import { printMetrics } from "../../telemetry/metrics-text.js";
import type { HttpExchange } from "../http/exchange.js";
import { openContext } from "../request/open-context.js";
import type { RequestContext } from "../request/request-context.js";
import { RequestMetrics } from "./request-metrics.js";

let metrics: Metrics;
let requests: RequestMetrics;

beforeEach(() => open());

function open(level: ApiLevel = "1.23"): void {
  metrics = new Metrics();
  requests = new RequestMetrics({
    metrics,
    isServed: ({ resource }) => resource === "pods",
    isDelegated: ({ resource }) => resource === "flunders",
    deprecation: () => undefined,
    paths: new Set(["/livez"]),
    level,
  });
}

interface Asked {
  readonly context: RequestContext;
  finish(status: number, bytes?: number): void;
}

function ask(method: string, target: string, contentType?: string): Asked {
  const [path = "", query = ""] = target.split("?");
  let finished = (): void => {};
  const exchange = {
    method,
    path,
    query,
    headers: { "content-type": contentType },
    statusCode: 0,
    bytesSent: 0,
    onFinished: (listener: () => void) => {
      finished = listener;
    },
  };
  // What the filter touches of an exchange.
  const context = openContext(exchange as unknown as HttpExchange, new Date());
  void requests.filter(context, async () => {});
  return {
    context,
    finish(status, bytes = 0) {
      exchange.statusCode = status;
      exchange.bytesSent = bytes;
      finished();
    },
  };
}

/** Lines of one metric without its name. */
async function shown(name: string): Promise<string[]> {
  return (await printMetrics(metrics.read()))
    .split("\n")
    .filter((line) => line.startsWith(`${name}{`))
    .map((line) => line.slice(name.length));
}

test.each([
  ["GET", "/api/v1/namespaces/a/pods/p", "GET", "resource", ""],
  ["HEAD", "/api/v1/namespaces/a/pods/p", "GET", "resource", ""],
  ["GET", "/api/v1/namespaces/a/pods", "LIST", "namespace", ""],
  ["GET", "/api/v1/pods", "LIST", "cluster", ""],
  ["GET", "/api/v1/pods?watch=1", "WATCH", "cluster", ""],
  ["GET", "/api/v1/namespaces/a/pods?fieldSelector=metadata.name%3Dp", "LIST", "namespace", ""],
  ["GET", "/api/v1/namespaces/a/pods?fieldSelector=metadata.name%3Dp&watch=1", "WATCH", "namespace", ""],
  ["GET", "/api/v1/watch/namespaces/a/pods/p", "WATCH", "resource", ""],
  ["GET", "/api/v1/pods?dryRun=All", "LIST", "cluster", ""],
  ["GET", "/api/v1/pods?watch=1&dryRun=x", "WATCH", "cluster", ""],
  ["GET", "/api/v1/namespaces/a/pods/p/status", "GET", "resource", "status"],
  ["POST", "/api/v1/namespaces/a/pods", "POST", "resource", ""],
  ["PUT", "/api/v1/namespaces/a/pods/p", "PUT", "resource", ""],
  ["PATCH", "/api/v1/namespaces/a/pods/p", "PATCH", "resource", ""],
  ["DELETE", "/api/v1/namespaces/a/pods/p", "DELETE", "resource", ""],
  ["DELETE", "/api/v1/namespaces/a/pods", "DELETE", "namespace", ""],
])("%s %s is a %s of scope %s", async (method, target, verb, scope, subresource) => {
  ask(method, target).finish(200);
  expect(await shown("apiserver_request_total")).toEqual([
    `{verb="${verb}",dry_run="",group="",version="v1",resource="pods",subresource="${subresource}",scope="${scope}",component="apiserver",code="200"} 1`,
  ]);
});

test("what is open or ends early has the scope of the name that a field selector gives", async () => {
  const ofOne = "/api/v1/namespaces/a/pods?fieldSelector=metadata.name%3Dp";
  const watch = ask("GET", `${ofOne}&watch=1`);
  requests.terminated(ask("GET", ofOne).context, 504);
  const labels =
    'group="",version="v1",resource="pods",subresource="",scope="resource",component="apiserver"';
  expect(await shown("apiserver_longrunning_requests")).toEqual([`{verb="WATCH",${labels}} 1`]);
  expect(await shown("apiserver_request_terminations_total")).toEqual([
    `{verb="GET",${labels},code="504"} 1`,
  ]);
  watch.finish(200);
  expect(await shown("apiserver_longrunning_requests")).toEqual([`{verb="WATCH",${labels}} 0`]);
});

test.each<[level: ApiLevel, hasConnect: boolean]>([
  ["1.26", false],
  ["1.27", true],
])("at %s requests that go on to a node or a pod have a verb of their own: %s", async (level, hasConnect) => {
  open(level);
  const verbs: [method: string, subresource: string][] = [
    ["GET", "log"],
    ["POST", "exec"],
    ["GET", "attach"],
    ["POST", "portforward"],
    ["PUT", "proxy"],
  ];
  for (const [method, subresource] of verbs)
    ask(method, `/api/v1/namespaces/a/pods/p/${subresource}`).finish(200, 10);
  const seen = verbs.map(([method]) => (hasConnect ? "CONNECT" : method));
  for (const name of ["apiserver_request_total", "apiserver_longrunning_requests"])
    expect((await shown(name)).map((line) => /verb="(\w+)"/.exec(line)?.[1])).toEqual(seen);
  expect(await shown("apiserver_response_sizes_sum")).toEqual([
    expect.stringMatching(new RegExp(`^{verb="${seen[0]}",.*subresource="log".* 10$`)),
  ]);
});

test("apply is told from other patches, and what is dry from what is not", async () => {
  ask("PATCH", "/api/v1/namespaces/a/pods/p?dryRun=All", "application/apply-patch+yaml").finish(201);
  ask("PATCH", "/api/v1/namespaces/a/pods/p?dryRun=None", "application/merge-patch+json").finish(400);
  const [apply, patch] = await shown("apiserver_request_total");
  expect(apply).toMatch(/^\{verb="APPLY",dry_run="All",.*code="201"\} 1$/);
  expect(patch).toMatch(/^\{verb="PATCH",dry_run="invalid",.*code="400"\} 1$/);
});

test.each<[level: ApiLevel, isMeasured: boolean]>([
  ["1.34", true],
  ["1.35", false],
])("at %s dry runs are among the times without webhooks: %s", async (level, isMeasured) => {
  open(level);
  for (const query of ["", "?dryRun=All"]) ask("POST", `/api/v1/namespaces/a/pods${query}`).finish(201);
  const counts = async (name: string) => (await shown(`${name}_count`)).map((line) => line.slice(-1));
  expect(await counts("apiserver_request_duration_seconds")).toEqual(["1", "1"]);
  const measured = isMeasured ? ["2"] : ["1"];
  expect(await counts("apiserver_request_slo_duration_seconds")).toEqual(measured);
  expect(await counts("apiserver_request_sli_duration_seconds")).toEqual(measured);
});

test("status codes are counted separately; durations and sizes of reads are measured together", async () => {
  for (const code of [200, 200, 410]) ask("GET", "/api/v1/pods").finish(code, 2000);
  ask("POST", "/api/v1/namespaces/a/pods").finish(201, 2000);
  expect((await shown("apiserver_request_total")).map((line) => line.replace(/.*code=/, ""))).toEqual([
    '"200"} 2',
    '"410"} 1',
    '"201"} 1',
  ]);
  expect((await shown("apiserver_response_sizes_bucket"))[1]).toMatch(/^\{verb="LIST",.*le="10000"\} 3$/);
  expect(await shown("apiserver_response_sizes_count")).toHaveLength(1);
  expect((await shown("apiserver_request_duration_seconds_count")).map((line) => line.slice(-2))).toEqual([
    " 3",
    " 1",
  ]);
});

test("a verb that the resource does not have is not counted", async () => {
  ask("PURGE", "/api/v1/pods").finish(405);
  expect(await shown("apiserver_request_total")).toEqual([]);
});

test("refused requests make no distributions, whatever is asked; those of a kind that is served are measured", async () => {
  const codes = [400, 401, 403, 404, 406, 409, 410, 413, 415, 422, 429];
  const verbs = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE", "X-1", "X-2", "X-3"];
  const paths = ["pods", "pods/a", "pods/b", "pods/a/status", "nothing", "nothing/a", "x1/y1/z1", "x2/y2/z2"];
  const queries = ["", "?dryRun=All", "?dryRun=1", "?dryRun=2", "?watch=1", "?limit=x"];
  const asked = verbs.flatMap((verb) =>
    paths.flatMap((path) => queries.map((query) => [verb, `/api/v1/namespaces/a/${path}${query}`] as const)),
  );
  for (const [verb, target] of asked) for (const code of codes) ask(verb, target).finish(code);
  const distributions = [
    "apiserver_request_duration_seconds_count",
    "apiserver_request_slo_duration_seconds_count",
    "apiserver_response_sizes_count",
  ];
  for (const name of distributions) expect(await shown(name)).toEqual([]);
  const counted = await shown("apiserver_request_total");
  const sets = new Set(counted.map((line) => line.replace(/,code=.*/, "")));
  // 6 verbs and "other", 3 kinds of dry run, and 5 targets; not all meet.
  expect(sets.size).toBeLessThan(7 * 3 * 5);
  expect(counted.length).toBe(sets.size * codes.length);

  ask("POST", "/api/v1/namespaces/a/pods").finish(201);
  ask("POST", "/api/v1/namespaces/a/pods").finish(409);
  const measured = await shown("apiserver_request_duration_seconds_count");
  expect(measured.map((line) => line.slice(-1))).toEqual(["2"]);
});

test("requests for unknown resources add no labels; health checks have their own", async () => {
  ask("GET", "/api/v1/whatever").finish(404);
  ask("GET", "/nowhere").finish(404);
  ask("GET", "/livez").finish(200);
  expect(await shown("apiserver_request_total")).toEqual([
    '{verb="GET",dry_run="",group="",version="",resource="",subresource="/livez",scope="",component="",code="200"} 1',
  ]);
});

test("long-running requests are counted while they are open", async () => {
  const first = ask("GET", "/api/v1/pods?watch=1");
  const second = ask("GET", "/api/v1/pods?watch=1");
  const open = async () => (await shown("apiserver_longrunning_requests"))[0]?.slice(-2);
  expect(await open()).toBe(" 2");
  first.finish(200);
  expect(await open()).toBe(" 1");
  second.finish(200);
  expect(await open()).toBe(" 0");
  expect(await shown("apiserver_current_inflight_requests")).toEqual([
    '{request_kind="readOnly"} 0',
    '{request_kind="mutating"} 0',
  ]);
});

test("the peak of requests in flight is that of the last second", async () => {
  vi.useFakeTimers();
  try {
    const inFlight = async () =>
      (await shown("apiserver_current_inflight_requests")).map((line) => line.slice(-1));
    const reads = [1, 2, 3].map(() => ask("GET", "/api/v1/pods"));
    const write = ask("POST", "/api/v1/namespaces/a/pods");
    for (const each of reads) each.finish(200);
    expect(await inFlight()).toEqual(["3", "1"]);
    vi.advanceTimersByTime(2500);
    expect(await inFlight()).toEqual(["0", "1"]);
    write.finish(201);
    vi.advanceTimersByTime(2500);
    expect(await inFlight()).toEqual(["0", "0"]);
  } finally {
    vi.useRealTimers();
  }
});

test("what was refused or ran out of time is counted as ended by the server", async () => {
  const { context } = ask("GET", "/api/v1/pods");
  requests.refused(context, "readOnly");
  requests.terminated(context, 504);
  const labels =
    'verb="LIST",group="",version="v1",resource="pods",subresource="",scope="cluster",component="apiserver"';
  expect(await shown("apiserver_request_terminations_total")).toEqual([
    `{${labels},code="429"} 1`,
    `{${labels},code="504"} 1`,
  ]);
  expect(await shown("apiserver_dropped_requests_total")).toEqual(['{request_kind="readOnly"} 1']);
});

test("an answer that the server cuts is counted", async () => {
  requests.aborted(ask("GET", "/api/v1/pods").context);
  expect(await shown("apiserver_request_aborts_total")).toEqual([
    '{verb="LIST",group="",version="v1",resource="pods",subresource="",scope="cluster"} 1',
  ]);
});

test("requests for extension servers are counted when they end early, and while they run", async () => {
  const unserved = ask("GET", "/apis/example.com/v1/flunders");
  const unknown = ask("GET", "/apis/example.com/v1/made-up");
  requests.terminated(unserved.context, 503, "aggregator");
  requests.terminated(unknown.context, 503, "aggregator");
  unserved.finish(503);
  unknown.finish(503);
  expect(await shown("apiserver_request_terminations_total")).toEqual([
    '{verb="LIST",group="example.com",version="v1",resource="flunders",subresource="",scope="cluster",component="aggregator",code="503"} 1',
  ]);
  expect(await shown("apiserver_request_total")).toEqual([]);
});

test.each<[level: ApiLevel, firstBounds: string[]]>([
  ["1.24", ["0.05", "0.1"]],
  ["1.25", ["0.005", "0.025"]],
])("at %s the shortest durations that are told apart are %j", async (level, firstBounds) => {
  open(level);
  ask("GET", "/api/v1/namespaces/a/pods/b").finish(200);
  const lines = await shown("apiserver_request_duration_seconds_bucket");
  expect(lines.slice(0, 2).map((line) => /le="(.*?)"/.exec(line)?.[1])).toEqual(firstBounds);
});

test("requests of API servers themselves are counted apart", async () => {
  ask("GET", "/api/v1/namespaces/a/pods/b").finish(200);
  expect(await shown("apiserver_selfrequest_total")).toEqual([]);
  const { context } = ask("GET", "/api/v1/namespaces/a/pods/b");
  context.user = { name: "system:apiserver", groups: [], uid: "", extra: {} };
  void requests.filter(context, async () => {});
  expect(await shown("apiserver_selfrequest_total")).toEqual([
    '{verb="GET",resource="pods",subresource=""} 1',
  ]);
});

test("requests of API servers themselves are told apart by group since 1.34", async () => {
  open("1.34");
  const { context } = ask("GET", "/api/v1/namespaces/a/pods/b");
  context.user = { name: "system:apiserver", groups: [], uid: "", extra: {} };
  void requests.filter(context, async () => {});
  expect(await shown("apiserver_selfrequest_total")).toEqual([
    '{verb="GET",group="",resource="pods",subresource=""} 1',
  ]);
});

test.each<[level: ApiLevel, isMeasured: boolean]>([
  ["1.24", true],
  ["1.25", false],
])("at %s a watch counts for the time without webhooks: %s", async (level, isMeasured) => {
  open(level);
  ask("GET", "/api/v1/pods?watch=1").finish(200);
  const name = "apiserver_request_slo_duration_seconds_count";
  expect(await shown(name)).toHaveLength(isMeasured ? 1 : 0);
  ask("GET", "/api/v1/pods").finish(200);
  expect(await shown(name)).toHaveLength(isMeasured ? 2 : 1);
});

test("the most requests that waited at once are shown, and what became of late ones", async () => {
  const waited = [requests.queued("mutating"), requests.queued("mutating"), requests.queued("readOnly")];
  for (const each of waited) each();
  requests.endedLate("error");
  expect(await shown("apiserver_current_inqueue_requests")).toEqual([
    '{request_kind="readOnly"} 1',
    '{request_kind="mutating"} 2',
  ]);
  expect(await shown("apiserver_request_post_timeout_total")).toEqual([
    '{source="timeout-handler",status="error"} 1',
  ]);
});

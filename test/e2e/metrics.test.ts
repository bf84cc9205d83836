import { gunzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { type GroundHere, openGroundHere, pod } from "../support/fixtures.js";

const configMaps = "/api/v1/namespaces/default/configmaps";
const pods = "/api/v1/namespaces/default/pods";
let ground: GroundHere | undefined;

afterEach(() => ground?.dispose());

/** The value of the line with this prefix; undefined when there is none. */
async function figure(metric: string): Promise<number | undefined> {
  const { text } = (await ground?.api.get("/metrics")) ?? { text: "" };
  const line = text.split("\n").find((each) => each.startsWith(`${metric} `));
  return line === undefined ? undefined : Number(line.slice(metric.length + 1));
}

const labels = (verb: string, resource: string, scope: string, dryRun?: string): string =>
  `{verb="${verb}",${dryRun === undefined ? "" : `dry_run="${dryRun}",`}group="",version="v1",resource="${resource}",subresource="",scope="${scope}",component="apiserver"`;

test("requests are counted and measured by what is asked", async () => {
  ground = await openGroundHere();
  const { api } = ground;
  for (const name of ["a", "b", "a"]) await api.post(configMaps, { metadata: { name } });
  await api.get(configMaps);
  await api.get(`${configMaps}/none`);
  await api.get(`${configMaps}/a/made-up`);
  await api.get("/livez");
  const total = (...of: Parameters<typeof labels>) => `apiserver_request_total${labels(...of)}`;
  expect(await figure(`${total("POST", "configmaps", "resource", "")},code="201"}`)).toBe(2);
  expect(await figure(`${total("POST", "configmaps", "resource", "")},code="409"}`)).toBe(1);
  expect(await figure(`${total("LIST", "configmaps", "namespace", "")},code="200"}`)).toBe(1);
  expect(await figure(`${total("GET", "configmaps", "resource", "")},code="404"}`)).toBe(1);
  const count = `apiserver_request_duration_seconds_count${labels("POST", "configmaps", "resource", "")}}`;
  expect(await figure(count)).toBe(3);
  expect(await figure(`apiserver_response_sizes_count${labels("LIST", "configmaps", "namespace")}}`)).toBe(1);
  expect(
    await figure(
      'apiserver_request_total{verb="GET",dry_run="",group="",version="",resource="",subresource="/livez",scope="",component="",code="200"}',
    ),
  ).toBe(1);
  expect((await api.get("/metrics")).text).not.toContain("made-up");
});

test("a scrape is compressed for scrapers that accept it", async () => {
  ground = await openGroundHere();
  const { api } = ground;
  const requests = ["configmaps", "secrets", "pods", "services", "endpoints", "events", "serviceaccounts"];
  await Promise.all(
    requests.flatMap((name) => [
      api.get(`/api/v1/${name}`),
      api.get(`/api/v1/namespaces/default/${name}`),
      api.get(`/api/v1/${name}?watch=1&timeoutSeconds=1`),
    ]),
  );
  const answer = await api.ask("GET", "/metrics", { headers: { "accept-encoding": "gzip" } });
  expect(answer.headers["content-encoding"]).toBe("gzip");
  const text = gunzipSync(answer.bytes).toString();
  expect(text).toMatch(/^apiserver_request_duration_seconds_bucket\{verb="LIST",.*resource="secrets"/m);
  expect(answer.bytes.length).toBeLessThan(text.length / 10);
  const plain = await api.ask("GET", "/metrics");
  expect(plain.headers["content-encoding"]).toBeUndefined();
  expect(plain.text).toContain("\nprocess_cpu_seconds_total ");
});

test("open watches are counted, and no more when they are closed", async () => {
  ground = await openGroundHere(["--enable-garbage-collector=false"]);
  const { api } = ground;
  const open = `apiserver_longrunning_requests${labels("WATCH", "pods", "namespace")}}`;
  const watchers = 'watch_cache_watchers{resource="*core.Pod"}';
  const figures = async () => [(await figure(open)) ?? 0, (await figure(watchers)) ?? 0];
  // Other controllers watch too. The collector would begin to with the first pod.
  const [, own = 0] = await figures();
  const ended = new AbortController();
  const watch = api.watch(`${pods}?watch=1`, ended.signal);
  await api.post(pods, pod("p"));
  expect((await watch.next()).value?.type).toBe("ADDED");
  expect(await figures()).toEqual([1, own + 1]);
  expect(await figure('apiserver_watch_events_total{group="",version="v1",kind="Pod"}')).toBe(1);
  expect(await figure('apiserver_watch_events_sizes_count{group="",version="v1",kind="Pod"}')).toBe(1);
  // What a cache begins with is no event of its own.
  await api.post(pods, pod("q"));
  expect((await watch.next()).value?.type).toBe("ADDED");
  const delays = "apiserver_watch_events_dispatch_duration_seconds";
  const ofPods = '{group="",resource="pods",stage="total"}';
  expect(await figure(`${delays}_count${ofPods}`)).toBe(1);
  expect(await figure(`${delays}_sum${ofPods}`)).toBeGreaterThan(0);
  ended.abort();
  await watch.return(undefined).catch(() => undefined);
  await expect.poll(figures).toEqual([0, own]);
});

test("caches and stores tell what they did, in the names of Kubernetes", async () => {
  ground = await openGroundHere(["--watch-cache-sizes=configmaps#0"]);
  const { api } = ground;
  await api.post(pods, pod("p"));
  await api.post(pods, pod("q"));
  await api.post(configMaps, { metadata: { name: "m" } });
  await api.get(`${pods}?labelSelector=a`);
  await api.get(configMaps);
  await api.get(`${configMaps}/m`);
  const ofPods = '{resource="*core.Pod"}';
  expect(await figure(`watch_cache_capacity${ofPods}`)).toBe(1000);
  expect(await figure(`watch_cache_initializations_total${ofPods}`)).toBe(1);
  expect(await figure(`apiserver_watch_cache_events_dispatched_total${ofPods}`)).toBeGreaterThanOrEqual(1);
  expect(await figure('apiserver_cache_list_total{resource_prefix="/pods",index=""}')).toBe(1);
  expect(await figure('apiserver_cache_list_fetched_objects_total{resource_prefix="/pods",index=""}')).toBe(
    2,
  );
  expect(await figure('apiserver_cache_list_returned_objects_total{resource_prefix="/pods"}')).toBe(0);
  expect(await figure('apiserver_storage_list_total{resource="configmaps"}')).toBeGreaterThanOrEqual(1);
  const seconds = (operation: string, type: string) =>
    figure(`etcd_request_duration_seconds_count{operation="${operation}",type="*core.${type}"}`);
  expect(await seconds("create", "Pod")).toBe(2);
  expect(await seconds("get", "ConfigMap")).toBeGreaterThanOrEqual(1);
  expect(await seconds("list", "ConfigMapList")).toBeGreaterThanOrEqual(1);
});

test("--disabled-metrics and --allow-metric-labels leave out what is not wanted", async () => {
  ground = await openGroundHere([
    "--disabled-metrics=apiserver_request_duration_seconds,process_cpu_seconds_total",
    "--allow-metric-labels=apiserver_request_total,verb=POST,WATCH",
    "--show-hidden-metrics-for-version=1.22",
  ]);
  const { api } = ground;
  await api.get(configMaps);
  await api.get(`${configMaps}/none`);
  await api.post(configMaps, { metadata: { name: "a" } });
  const { text } = await api.get("/metrics");
  expect(text).not.toContain("apiserver_request_duration_seconds");
  expect(text).not.toContain("process_cpu_seconds_total");
  expect(text).toContain("process_resident_memory_bytes");
  const verbs = [...text.matchAll(/^apiserver_request_total\{verb="(\w+)".*resource="configmaps"/gm)];
  expect(new Set(verbs.map(([, verb]) => verb))).toEqual(new Set(["unexpected", "POST"]));
});

test("series without labels are there from the start", async () => {
  ground = await openGroundHere();
  for (const name of [
    "etcd_lease_object_counts_count",
    "apiserver_storage_data_key_generation_duration_seconds_count",
    "apiserver_storage_data_key_generation_failures_total",
    "apiserver_envelope_encryption_dek_cache_fill_percent",
    "apiserver_storage_envelope_transformation_cache_misses_total",
    "apiserver_tls_handshake_errors_total",
  ]) {
    expect([name, await figure(name)]).toEqual([name, 0]);
  }
});

test("tokens of service accounts are looked up in a cache, and requests pass through queues", async () => {
  ground = await openGroundHere(["--authorization-mode=RBAC"]);
  const { api } = ground;
  const accounts = "/api/v1/namespaces/default/serviceaccounts";
  await api.post(accounts, { metadata: { name: "robot" } });
  const { body } = await api.post(`${accounts}/robot/token`, { spec: {} });
  const headers = { authorization: `Bearer ${body.status.token}` };
  const robot = new ApiClient(ground.server, { anonymous: true });
  for (const _ of [1, 2, 3]) expect((await robot.ask("GET", "/api", { headers })).status).toBe(200);
  await robot.close();
  const cache = "authentication_token_cache";
  expect(await figure(`${cache}_request_total{status="miss"}`)).toBe(1);
  expect(await figure(`${cache}_request_total{status="hit"}`)).toBe(2);
  expect(await figure(`${cache}_fetch_total{status="ok"}`)).toBe(1);
  expect(await figure(`${cache}_active_fetch_count{status="in_flight"}`)).toBe(0);
  const flow = '{priority_level="workload-low",flow_schema="service-accounts"}';
  expect(await figure(`apiserver_flowcontrol_request_queue_length_after_enqueue_count${flow}`)).toBe(3);
  expect(await figure(`apiserver_flowcontrol_request_queue_length_after_enqueue_sum${flow}`)).toBe(3);
  expect(await figure('apiserver_flowcontrol_latest_s{priority_level="workload-low"}')).toBe(0);
  expect(await figure('apiserver_flowcontrol_latest_s{priority_level="exempt"}')).toBeUndefined();
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { type GroundHere, openGroundHere, until } from "../support/fixtures.js";
import { startWebhookServer, type WebhookServer } from "../support/webhook-server.js";

let ground: GroundHere;
let hooks: WebhookServer;
/** Of each metric the labels of its series, by name. */
let series: ReadonlyMap<string, readonly ReadonlySet<string>[]>;

beforeAll(async () => {
  ground = await openGroundHere(["--authorization-mode=RBAC"]);
  const { api } = ground;
  const group = "/apis/apiregistration.k8s.io/v1/apiservices";
  await api.post("/api/v1/namespaces/default/configmaps", { metadata: { name: "a" } });
  await api.get("/api/v1/configmaps");
  await api.get("/apis/batch/v1beta1/cronjobs");
  // Administrators are exempt from flow control.
  await api.ask("GET", "/version", { headers: { "impersonate-user": "alice" } });
  const watching = api.watch("/api/v1/configmaps?watch=1");
  await watching.next();
  // An extension server that is not there.
  await api.post(group, {
    metadata: { name: "v1.missing.example.com" },
    spec: {
      group: "missing.example.com",
      version: "v1",
      groupPriorityMinimum: 1000,
      versionPriority: 10,
      insecureSkipTLSVerify: true,
      service: { namespace: "default", name: "missing" },
    },
  });
  // A webhook that never answers, so that a request runs out of time.
  hooks = await startWebhookServer();
  hooks.answers.set("/hang", () => ({ hang: true }));
  await api.post("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
    metadata: { name: "hanging" },
    webhooks: [
      {
        name: "hanging.example.com",
        clientConfig: { url: hooks.url("/hang"), caBundle: hooks.caBundle },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["secrets"] }],
        timeoutSeconds: 1,
        failurePolicy: "Ignore",
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
      },
    ],
  });
  const secrets = "/api/v1/namespaces/default/secrets";
  expect((await api.post(`${secrets}?timeout=100ms`, { metadata: { name: "a" } })).status).toBe(504);
  const { text } = await until(
    () => api.get("/metrics"),
    (answer) =>
      [
        "aggregator_unavailable_apiservice_total",
        "rest_client_requests_total",
        "apiserver_request_post_timeout_total",
      ].every((name) => answer.text.includes(`\n${name}{`)),
  );
  series = seriesOf(text);
  await watching.return(undefined);
});

afterAll(async () => {
  await hooks.close();
  await ground.dispose();
});

/**
 * The series that public dashboards and alert rules query, with the labels that they select or sum by. From kubernetes-mixin:
 * KubeAPIDown, KubeAPIErrorBudgetBurn and its recording rules, KubeAPITerminatedRequests, KubeAggregatedAPIErrors,
 * KubeAggregatedAPIDown, KubeClientCertificateExpiration, KubeClientErrors, KubeVersionMismatch and the dashboard of the API
 * server; of the public Grafana dashboards for the API server, those that show flow control, the store and admission.
 */
const queried: readonly (readonly [name: string, labels: string])[] = [
  ["apiserver_request_total", "verb code resource scope"],
  ["apiserver_request_slo_duration_seconds_bucket", "verb scope resource subresource le"],
  ["apiserver_request_slo_duration_seconds_count", "verb scope resource"],
  ["apiserver_request_sli_duration_seconds_bucket", "verb scope resource subresource le"],
  ["apiserver_request_sli_duration_seconds_count", "verb scope resource"],
  ["apiserver_request_duration_seconds_bucket", "verb scope resource le"],
  ["apiserver_response_sizes_bucket", "verb resource le"],
  ["apiserver_current_inflight_requests", "request_kind"],
  ["apiserver_longrunning_requests", "verb resource"],
  ["apiserver_registered_watchers", "group version kind"],
  ["apiserver_watch_events_total", "kind"],
  ["apiserver_client_certificate_expiration_seconds_count", ""],
  ["apiserver_client_certificate_expiration_seconds_bucket", "le"],
  ["apiserver_request_terminations_total", "verb resource code"],
  ["apiserver_storage_objects", "resource"],
  ["apiserver_requested_deprecated_apis", "group version resource subresource removed_release"],
  ["apiserver_audit_event_total", ""],
  ["apiserver_audit_requests_rejected_total", ""],
  ["serviceaccount_legacy_tokens_total", ""],
  ["serviceaccount_valid_tokens_total", ""],
  ["serviceaccount_stale_tokens_total", ""],
  ["aggregator_unavailable_apiservice", "name"],
  ["aggregator_unavailable_apiservice_total", "name reason"],
  ["apiserver_flowcontrol_request_concurrency_limit", "priority_level"],
  ["apiserver_flowcontrol_request_concurrency_in_use", "priority_level"],
  ["apiserver_flowcontrol_current_inqueue_requests", "priority_level"],
  ["apiserver_flowcontrol_dispatched_requests_total", "priority_level flow_schema"],
  ["apiserver_flowcontrol_request_wait_duration_seconds_bucket", "priority_level flow_schema execute le"],
  ["apiserver_flowcontrol_priority_level_request_count_samples_bucket", "priority_level phase le"],
  ["apiserver_flowcontrol_priority_level_request_count_watermarks_bucket", "priority_level phase mark le"],
  ["apiserver_flowcontrol_priority_level_seat_count_samples_bucket", "priority_level phase le"],
  ["apiserver_flowcontrol_priority_level_seat_count_watermarks_bucket", "priority_level phase mark le"],
  ["apiserver_flowcontrol_read_vs_write_request_count_samples_bucket", "request_kind phase le"],
  ["apiserver_flowcontrol_read_vs_write_request_count_watermarks_bucket", "request_kind phase mark le"],
  ["apiserver_current_inqueue_requests", "request_kind"],
  ["apiserver_request_filter_duration_seconds_bucket", "filter le"],
  ["apiserver_request_post_timeout_total", "source status"],
  ["apiserver_admission_controller_admission_duration_seconds_bucket", "name operation type rejected le"],
  ["apiserver_admission_step_admission_duration_seconds_bucket", "operation type rejected le"],
  ["apiserver_admission_step_admission_duration_seconds_summary", "operation type rejected quantile"],
  ["apiserver_admission_webhook_admission_duration_seconds_bucket", "name operation type rejected le"],
  ["authenticated_user_requests", "username"],
  ["authentication_attempts", "result"],
  ["etcd_request_duration_seconds_bucket", "operation type le"],
  ["etcd_db_total_size_in_bytes", "endpoint"],
  ["workqueue_adds_total", "name"],
  ["workqueue_depth", "name"],
  ["workqueue_queue_duration_seconds_bucket", "name le"],
  ["rest_client_requests_total", "code method host"],
  ["rest_client_request_duration_seconds_bucket", "verb url le"],
  ["kubernetes_build_info", "git_version"],
  ["process_resident_memory_bytes", ""],
  ["process_cpu_seconds_total", ""],
  ["process_start_time_seconds", ""],
  ["process_open_fds", ""],
  ["process_max_fds", ""],
  ["process_virtual_memory_bytes", ""],
  ["go_goroutines", ""],
];

test.each(queried)("dashboards find %s by %s", (name, labels) => {
  const wanted = labels.split(" ").filter((label) => label !== "");
  const found = series.get(name) ?? [];
  expect(found.some((each) => wanted.every((label) => each.has(label)))).toBe(true);
});

test("a hidden metric is shown only when its version is asked for", async () => {
  expect(series.has("etcd_object_counts")).toBe(false);
  const showing = await openGroundHere(["--show-hidden-metrics-for-version=1.22"]);
  try {
    expect((await showing.api.get("/metrics")).text).toMatch(/^etcd_object_counts\{resource="pods"\} 0$/m);
  } finally {
    await showing.dispose();
  }
});

function seriesOf(text: string): Map<string, ReadonlySet<string>[]> {
  const found = new Map<string, ReadonlySet<string>[]>();
  for (const line of text.split("\n")) {
    const match = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/.exec(line);
    if (match === null) continue;
    const [, name = "", labels = ""] = match;
    const names = new Set([...labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)].map(([, label]) => label ?? ""));
    found.set(name, [...(found.get(name) ?? []), names]);
  }
  return found;
}

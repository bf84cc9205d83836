import { afterEach, describe, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { disposeAll } from "../support/server-process.js";

const servers: ServerHere[] = [];

afterEach(() => disposeAll(servers));

async function start(...args: readonly string[]): Promise<ApiClient> {
  const server = await startServerHere({ args });
  servers.push(server);
  return new ApiClient(server);
}

/** The gauge of each priority level. */
async function gauge(api: ApiClient, name: string): Promise<Readonly<Record<string, number>>> {
  const { text } = await api.get("/metrics");
  const pattern = new RegExp(`^apiserver_flowcontrol_${name}\\{priority_level="([^"]+)"\\} (.+)$`, "gm");
  return Object.fromEntries(
    [...text.matchAll(pattern)].map(([, level = "", value]) => [level, Number(value)]),
  );
}

describe.each([
  ["1.25", "v1beta2", false, undefined],
  ["1.26", "v1beta3", true, false],
  ["1.27", "v1beta3", true, false],
  ["1.28", "v1beta3", true, true],
  ["1.36", "v1", true, true],
] as const)("at %s", (level, version, lends, editsExempt) => {
  test("levels lend and borrow seats, and the exempt level has its spec, as the level has them", async () => {
    const api = await start(`--api-level=${level}`);
    const levels = `/apis/flowcontrol.apiserver.k8s.io/${version}/prioritylevelconfigurations`;
    await expect.poll(async () => (await api.get(`${levels}/workload-low`)).status).toBe(200);
    if (lends) {
      await expect
        .poll(async () => (await gauge(api, "nominal_limit_seats"))["workload-low"])
        .toBeGreaterThan(0);
      const [nominal, lower, upper, current] = await Promise.all(
        ["nominal_limit_seats", "lower_limit_seats", "upper_limit_seats", "current_limit_seats"].map((name) =>
          gauge(api, name),
        ),
      );
      // It lends most of its seats.
      expect(lower?.["workload-low"]).toBeLessThan(nominal?.["workload-low"] ?? 0);
      expect(upper?.["workload-low"]).toBeGreaterThan(nominal?.["workload-low"] ?? 0);
      expect(current?.["workload-low"]).toBeGreaterThan(0);
      expect((await gauge(api, "target_seats"))["workload-low"]).toBeGreaterThan(0);
      expect((await api.get("/metrics")).text).toMatch(/^apiserver_flowcontrol_seat_fair_frac 1$/m);
    } else {
      expect(await gauge(api, "nominal_limit_seats")).toEqual({});
    }
    await expect
      .poll(async () => (await api.get("/metrics")).text)
      .toMatch(
        /^apiserver_flowcontrol_priority_level_seat_utilization_count\{phase="executing",priority_level="workload-low"\} \d+$/m,
      );

    // The exempt level has no spec yet that could be tried.
    if (editsExempt === undefined) return await api.close();
    const merge = { contentType: "application/merge-patch+json" };
    const body = { spec: { exempt: { nominalConcurrencyShares: 7, lendablePercent: 50 } } };
    await api.ask("PATCH", `${levels}/exempt`, { body, ...merge });
    const { spec } = (await api.get(`${levels}/exempt`)).body;
    expect(spec.exempt).toEqual(editsExempt ? body.spec.exempt : undefined);
    if (editsExempt) {
      await expect.poll(async () => (await gauge(api, "nominal_limit_seats")).exempt).toBeGreaterThan(0);
      const exempt = {
        nominal: await gauge(api, "nominal_limit_seats"),
        lower: await gauge(api, "lower_limit_seats"),
      };
      expect(exempt.lower.exempt).toBeLessThan(exempt.nominal.exempt ?? 0);
    }
    await api.close();
  });
});

test.each([["1.28"], ["1.29"], ["1.36"]])(
  "at %s flow control can be switched off by its flag",
  async (level) => {
    const api = await start(`--api-level=${level}`, "--enable-priority-and-fairness=false");
    const { status, headers } = await api.get("/api/v1/namespaces");
    expect(status).toBe(200);
    expect(headers["x-kubernetes-pf-flowschema-uid"]).toBeUndefined();
    await api.close();
  },
);

test("from 1.29 on its gate cannot be switched off", async () => {
  const api = await start("--api-level=1.28", "--feature-gates=APIPriorityAndFairness=false");
  expect((await api.get("/api/v1/namespaces")).headers["x-kubernetes-pf-flowschema-uid"]).toBeUndefined();
  await api.close();
  await expect(start("--api-level=1.29", "--feature-gates=APIPriorityAndFairness=false")).rejects.toThrow(
    "APIPriorityAndFairness",
  );
});

/** The sum of the seats that lists of service accounts were estimated to take, and the bytes of the config maps. */
async function estimates(api: ApiClient) {
  const { text } = await api.get("/metrics");
  const number = (pattern: RegExp) => Number(pattern.exec(text)?.[1]);
  return {
    seats: number(
      /^apiserver_flowcontrol_work_estimated_seats_sum\{.*flow_schema="service-accounts".*\} (\d+)$/m,
    ),
    bytes: number(/^apiserver_resource_size_estimate_bytes\{group="",resource="configmaps"\} (-?\d+)$/m),
  };
}

test.each([
  ["1.33", "", 1, false],
  ["1.34", "", 5, true],
  ["1.34", "--feature-gates=SizeBasedListCostEstimate=false", 1, false],
  ["1.36", "", 5, true],
])("at %s %s a list of large objects takes %i seats", async (level, gate, seats, tellsBytes) => {
  const api = await start(`--api-level=${level}`, ...(gate === "" ? [] : [gate]));
  const path = "/api/v1/namespaces/default/configmaps";
  for (const name of ["a", "b", "c", "d"]) {
    await api.post(path, { metadata: { name }, data: { text: "x".repeat(100_000) } });
  }
  const headers = {
    "Impersonate-User": "system:serviceaccount:default:robot",
    "Impersonate-Group": "system:serviceaccounts",
  };
  // It has a seat to itself, and is listed from memory.
  await expect.poll(async () => (await api.ask("GET", path, { headers })).status).toBe(200);
  const before = await estimates(api);
  expect((await api.ask("GET", path, { headers })).status).toBe(200);
  const after = await estimates(api);
  expect(after.seats - before.seats).toBe(seats);
  if (tellsBytes) {
    expect(after.bytes).toBeGreaterThan(400_000);
    expect(after.bytes).toBeLessThan(500_000);
  } else {
    expect(after.bytes).toBeNaN();
  }
  await api.close();
});

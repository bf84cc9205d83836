import { afterAll, describe, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { disposeAll, type ServerProcess, startServer } from "../support/server-process.js";

const servers: ServerProcess[] = [];

afterAll(() => disposeAll(servers));

async function start(...args: readonly string[]): Promise<ApiClient> {
  const server = await startServer({ args });
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
    } else {
      expect(await gauge(api, "nominal_limit_seats")).toEqual({});
    }

    // v1beta2 has had the exempt level's spec here all along.
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

import { afterAll, describe, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { disposeAll } from "../support/server-process.js";

const servers: ServerHere[] = [];

afterAll(() => disposeAll(servers));

const core = "/api/v1/namespaces/default";
const lastUsed = "kubernetes.io/legacy-token-last-used";

describe.each([
  ["1.24", false, false],
  ["1.26", false, false],
  ["1.27", true, false],
  ["1.28", true, true],
  ["1.36", true, true],
] as const)("at %s", (level, isTracked, canBeInvalid) => {
  test("tokens in secrets are made on demand, and their uses known as the level has it", async () => {
    const server = await startServerHere({ args: [`--api-level=${level}`] });
    servers.push(server);
    const admin = new ApiClient(server);
    const guest = new ApiClient(server, { anonymous: true });
    await expect.poll(async () => (await admin.get(`${core}/serviceaccounts/default`)).status).toBe(200);
    expect((await admin.get(`${core}/serviceaccounts/default`)).body.secrets).toBeUndefined();
    expect((await admin.get(`${core}/secrets`)).body.items).toEqual([]);
    await admin.post(`${core}/secrets`, {
      metadata: { name: "mine", annotations: { "kubernetes.io/service-account.name": "default" } },
      type: "kubernetes.io/service-account-token",
    });
    const read = async () => (await admin.get(`${core}/secrets/mine`)).body;
    await expect.poll(async () => (await read()).data?.token).toBeTypeOf("string");
    const token = Buffer.from((await read()).data.token, "base64").toString();
    const ask = () => guest.ask("GET", "/version", { headers: { authorization: `Bearer ${token}` } });

    expect((await ask()).status).toBe(200);
    const map =
      "/api/v1/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking";
    if (isTracked) {
      const today = /^\d{4}-\d{2}-\d{2}$/;
      await expect.poll(async () => (await read()).metadata.labels?.[lastUsed]).toMatch(today);
      await expect.poll(async () => (await admin.get(map)).body.data?.since).toMatch(today);
      expect((await admin.get("/metrics")).text).toMatch(
        /^serviceaccount_legacy_manual_token_uses_total [1-9]/m,
      );
    } else {
      expect((await admin.get(map)).status).toBe(404);
      expect((await read()).metadata.labels).toBeUndefined();
    }

    const merge = { contentType: "application/merge-patch+json" };
    const secrets = [{ name: "mine" }];
    await admin.ask("PATCH", `${core}/serviceaccounts/default`, { body: { secrets }, ...merge });
    await expect
      .poll(async () => String((await ask()).headers.warning ?? ""))
      .toContain(isTracked ? "Use tokens from the TokenRequest API" : "");
    const labels = { "kubernetes.io/legacy-token-invalid-since": "2024-01-01" };
    await admin.ask("PATCH", `${core}/secrets/mine`, { body: { metadata: { labels } }, ...merge });
    await expect.poll(async () => (await ask()).status).toBe(canBeInvalid ? 401 : 200);
    await Promise.all([admin.close(), guest.close()]);
  });
});

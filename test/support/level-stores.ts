import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ApiLevel } from "../../src/apimachinery/levels/api-level.js";
import { ApiClient } from "./api-client.js";
import { type ServerHere, startServerHere } from "./in-process-server.js";

const budgets = "/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets";
const policies = "/apis/policy/v1beta1/podsecuritypolicies";

const budget = {
  metadata: { name: "web" },
  spec: { minAvailable: 1, selector: { matchLabels: { app: "web" } } },
};
const anything = { rule: "RunAsAny" };
const policy = {
  metadata: { name: "open" },
  spec: { seLinux: anything, runAsUser: anything, supplementalGroups: anything, fsGroup: anything },
};

/** Tests that a store can be opened at other levels. `args` name the store; default: an embedded one. */
export function describeLevelStores(args: () => readonly string[] = () => []): void {
  test("objects of removed versions are served in others, and those of removed kinds are kept", async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), "level-stores-"));
    const at = async (level: ApiLevel, work: (api: ApiClient, server: ServerHere) => Promise<void>) => {
      const server = await startServerHere({
        profile: "kubernetes",
        args: [...args(), `--api-level=${level}`],
        dataDirectory,
      });
      const api = new ApiClient(server);
      try {
        await work(api, server);
      } finally {
        await api.close();
        await server.stop();
      }
    };
    let uid: unknown;
    await at("1.23", async (api) => {
      const made = await api.post(budgets, budget);
      expect(made.status).toBe(201);
      uid = made.body.metadata.uid;
      expect((await api.post(policies, policy)).status).toBe(201);
    });
    await at("1.25", async (api, server) => {
      expect((await api.get(policies)).status).toBe(404);
      const found = await api.get("/apis/policy/v1/namespaces/default/poddisruptionbudgets/web");
      expect([found.status, found.body.metadata.uid]).toEqual([200, uid]);
      await expect.poll(() => server.output()).toContain("podsecuritypolicies.policy (1)");
    });
    await at("1.24", async (api, server) => {
      expect((await api.get(`${policies}/open`)).status).toBe(200);
      expect(server.output()).not.toContain("kinds that the API level does not have");
    });
    rmSync(dataDirectory, { recursive: true, force: true });
  });
}

import { setMaxListeners } from "node:events";
import { request } from "node:https";
import { expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { startServer } from "../support/server-process.js";

const greedyClients = 500;
const objects = 500;
const rounds = 20;
const lease = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";

test("health checks, leases and administrators are answered while 500 clients list everything in a loop", async () => {
  const server = await startServer({ args: ["--authorization-mode=AlwaysAllow"] });
  const api = new ApiClient(server);
  const crowd = new ApiClient(server);
  const leaving = new AbortController();
  setMaxListeners(0, leaving.signal);
  const { ca, cert, key } = crowd.tls;
  let lists = 0;
  /** Reads an answer without looking at it: the crowd shares this process. */
  const list = (client: number): Promise<void> =>
    new Promise((resolve) => {
      const headers = { "impersonate-user": `greedy-${client}`, "impersonate-group": "crowd" };
      const call = request(`${server.url}/api/v1/configmaps`, {
        ca,
        cert,
        key,
        headers,
        signal: leaving.signal,
      });
      call.once("response", (answer) => {
        if (answer.statusCode === 200) lists++;
        answer.resume();
        answer.once("close", resolve);
      });
      call.once("error", () => resolve());
      call.end();
    });
  const greedy = async (client: number): Promise<void> => {
    while (!leaving.signal.aborted) await list(client);
  };
  try {
    const data = { text: "x".repeat(10_000) };
    const made = Array.from({ length: objects }, (_, index) =>
      api.post("/api/v1/namespaces/default/configmaps", { metadata: { name: `object-${index}` }, data }),
    );
    expect((await Promise.all(made)).every(({ status }) => status === 201)).toBe(true);
    const node = {
      headers: { "impersonate-user": "system:node:a", "impersonate-group": "system:nodes" },
    };
    const crowding = Array.from({ length: greedyClients }, (_, client) => greedy(client));
    await expect.poll(() => lists).toBeGreaterThan(20);
    for (let round = 0; round < rounds; round++) {
      expect((await api.get("/readyz")).status).toBe(200);
      const body = {
        metadata: { name: `node-${round}` },
        spec: { holderIdentity: "a", leaseDurationSeconds: 40 },
      };
      expect((await api.ask("POST", lease, { ...node, body })).status).toBe(201);
      expect((await api.get("/api/v1/namespaces/default")).status).toBe(200);
    }
    // The crowd is served too.
    const before = lists;
    await expect.poll(() => lists).toBeGreaterThan(before);
    leaving.abort();
    await Promise.all(crowding);
  } finally {
    leaving.abort();
    await crowd.close();
    await api.close();
    await server.dispose();
  }
}, 120_000);

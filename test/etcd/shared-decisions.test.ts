import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { disposeAll } from "../support/server-process.js";
import { EtcdCluster, etcdMissing } from "./etcd-cluster.js";

const rbac = "/apis/rbac.authorization.k8s.io/v1";

describe.skipIf(etcdMissing)(
  `three servers on one etcd${etcdMissing === undefined ? "" : ` (skipped: ${etcdMissing})`}`,
  () => {
    const directory = mkdtempSync(join(tmpdir(), "shared-decisions-"));
    const servers: ServerHere[] = [];
    const apis: ApiClient[] = [];
    let etcd: EtcdCluster | undefined;

    beforeAll(async () => {
      etcd = await EtcdCluster.start();
      const key = join(directory, "sa.key");
      const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      writeFileSync(key, privateKey.export({ type: "sec1", format: "pem" }));
      for (const address of ["10.8.0.1", "10.8.0.2", "10.8.0.3"]) {
        const server = await startServerHere({
          args: [
            `--etcd-servers=${etcd.endpoints.join()}`,
            `--advertise-address=${address}`,
            "--authorization-mode=RBAC",
            "--service-account-issuer=https://issuer.example.com",
            `--service-account-signing-key-file=${key}`,
            `--service-account-key-file=${key}`,
          ],
        });
        servers.push(server);
        apis.push(new ApiClient(server));
      }
    });

    afterAll(async () => {
      for (const api of apis) await api.close();
      await disposeAll(servers);
      await etcd?.close();
      rmSync(directory, { recursive: true, force: true });
    });

    const at = (index: number): ApiClient => {
      const api = apis[index % apis.length];
      if (api === undefined) throw new Error("no server");
      return api;
    };
    const given = (server: ServerHere | undefined): ServerHere => {
      if (server === undefined) throw new Error("no server");
      return server;
    };
    const made = async (path: string, body: object): Promise<void> => {
      const answer = await at(0).post(path, body);
      expect(answer.status, answer.text).toBe(201);
    };

    test("of 200 concurrent creates exactly as many succeed as a quota has room for", async () => {
      await made("/api/v1/namespaces", { metadata: { name: "crowd" } });
      const path = "/api/v1/namespaces/crowd";
      await made(`${path}/resourcequotas`, { metadata: { name: "q" }, spec: { hard: { pods: "100" } } });
      const used = async (index: number): Promise<string | undefined> =>
        (await at(index).get(`${path}/resourcequotas/q`)).body.status?.used?.pods;
      for (const index of apis.keys()) {
        await expect.poll(() => used(index)).toBe("0");
        // Each server knows the namespace and its account when the crowd comes.
        await expect
          .poll(async () => (await at(index).get(`${path}/serviceaccounts/default`)).status)
          .toBe(200);
      }
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          at(index).post(`${path}/pods`, {
            metadata: { name: `p${index}` },
            spec: { containers: [{ name: "a", image: "a" }] },
          }),
        ),
      );
      const made201 = answers.filter(({ status }) => status === 201);
      const others = answers.filter(({ status }) => status !== 201);
      expect(new Set(others.map(({ status }) => status))).toEqual(new Set([403]));
      expect(made201).toHaveLength(100);
      expect(others[0]?.body.message).toContain("exceeded quota: q, requested: pods=1, used: pods=100");
      for (const index of apis.keys()) {
        expect((await at(index).get(`${path}/pods`)).body.items).toHaveLength(100);
        expect(await used(index)).toBe("100");
      }
      await Promise.all(
        made201
          .slice(0, 40)
          .map(({ body }, index) =>
            at(index).ask("DELETE", `${path}/pods/${body.metadata.name}?gracePeriodSeconds=0`),
          ),
      );
      for (const index of apis.keys()) await expect.poll(() => used(index)).toBe("60");
    });

    test("a revocation takes effect at the server that wrote it before the write is answered", async () => {
      await made("/api/v1/namespaces", { metadata: { name: "brief" } });
      const path = "/api/v1/namespaces/brief";
      const bindings = `${rbac}/namespaces/brief/rolebindings`;
      const roles = `${rbac}/namespaces/brief/roles`;
      const rules = [{ verbs: ["list"], apiGroups: [""], resources: ["configmaps"] }];
      const binding = {
        metadata: { name: "readers" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "readers" },
        subjects: [{ kind: "User", name: "jane", apiGroup: "rbac.authorization.k8s.io" }],
      };
      const listAsJane = async (): Promise<number> =>
        (await at(0).ask("GET", `${path}/configmaps`, { headers: { "impersonate-user": "jane" } })).status;
      const anonymous = new ApiClient(given(servers[0]), { anonymous: true });
      const listWith = async (token: string): Promise<number> =>
        (await anonymous.ask("GET", `${path}/configmaps`, { headers: { authorization: `Bearer ${token}` } }))
          .status;
      const mergePatch = "application/merge-patch+json";
      try {
        for (let round = 0; round < 20; round += 1) {
          await made(roles, { metadata: { name: "readers" }, rules });
          await made(bindings, binding);
          expect(await listAsJane()).toBe(200);
          expect((await at(0).patch(`${roles}/readers`, mergePatch, { rules: [] })).status).toBe(200);
          expect(await listAsJane()).toBe(403);
          expect((await at(0).patch(`${roles}/readers`, mergePatch, { rules })).status).toBe(200);
          expect(await listAsJane()).toBe(200);
          expect((await at(0).ask("DELETE", `${bindings}/readers`)).status).toBe(200);
          expect(await listAsJane()).toBe(403);
          await at(0).ask("DELETE", `${roles}/readers`);

          const account = `robot-${round % 2}`;
          await made(`${path}/serviceaccounts`, { metadata: { name: account } });
          const { token } = (await at(0).post(`${path}/serviceaccounts/${account}/token`, { spec: {} })).body
            .status;
          expect(await listWith(token)).toBe(403);
          expect((await at(0).ask("DELETE", `${path}/serviceaccounts/${account}`)).status).toBe(200);
          expect(await listWith(token)).toBe(401);

          const secret = `holder-${round % 2}`;
          await made(`${path}/serviceaccounts`, { metadata: { name: "keeper" } });
          await made(`${path}/secrets`, { metadata: { name: secret } });
          const bound = await at(0).post(`${path}/serviceaccounts/keeper/token`, {
            spec: { boundObjectRef: { kind: "Secret", apiVersion: "v1", name: secret } },
          });
          expect(await listWith(bound.body.status.token)).toBe(403);
          expect((await at(0).ask("DELETE", `${path}/secrets/${secret}`)).status).toBe(200);
          expect(await listWith(bound.body.status.token)).toBe(401);
          await at(0).ask("DELETE", `${path}/serviceaccounts/keeper`);
        }
      } finally {
        await anonymous.close();
      }
    });

    test("what one server revokes, all refuse, including the token of an account that was created again", async () => {
      await made("/api/v1/namespaces", { metadata: { name: "team" } });
      const path = "/api/v1/namespaces/team";
      await made(`${path}/serviceaccounts`, { metadata: { name: "robot" } });
      await made(`${rbac}/namespaces/team/roles`, {
        metadata: { name: "readers" },
        rules: [{ verbs: ["get", "list"], apiGroups: [""], resources: ["configmaps"] }],
      });
      const binding = {
        metadata: { name: "readers" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "readers" },
        subjects: [{ kind: "ServiceAccount", name: "robot", namespace: "team" }],
      };
      await made(`${rbac}/namespaces/team/rolebindings`, binding);
      const { token } = (await at(0).post(`${path}/serviceaccounts/robot/token`, { spec: {} })).body.status;
      const anonymous = servers.map((server) => new ApiClient(server, { anonymous: true }));
      const statusAt = async (index: number): Promise<number | undefined> => {
        const headers = { authorization: `Bearer ${token}` };
        return (await anonymous[index]?.ask("GET", `${path}/configmaps`, { headers }))?.status;
      };
      try {
        for (const index of apis.keys()) await expect.poll(() => statusAt(index)).toBe(200);

        // Other servers follow by etcd's watches.
        await at(0).ask("DELETE", `${rbac}/namespaces/team/rolebindings/readers`);
        for (const index of apis.keys()) await expect.poll(() => statusAt(index)).toBe(403);
        // Through another server, and back again.
        const again = await at(1).post(`${rbac}/namespaces/team/rolebindings`, binding);
        expect(again.status).toBe(201);
        for (const index of apis.keys()) await expect.poll(() => statusAt(index)).toBe(200);
        await at(1).ask("PATCH", `${rbac}/namespaces/team/roles/readers`, {
          body: { rules: [] },
          contentType: "application/merge-patch+json",
        });
        for (const index of apis.keys()) await expect.poll(() => statusAt(index)).toBe(403);

        await at(2).ask("DELETE", `${path}/serviceaccounts/robot`);
        for (const index of apis.keys()) await expect.poll(() => statusAt(index)).toBe(401);
        await made(`${path}/serviceaccounts`, { metadata: { name: "robot" } });
        for (const index of apis.keys()) {
          await expect
            .poll(async () => (await at(index).get(`${path}/serviceaccounts/robot`)).status)
            .toBe(200);
          expect(await statusAt(index)).toBe(401);
        }
      } finally {
        for (const client of anonymous) await client.close();
      }
    });
  },
);

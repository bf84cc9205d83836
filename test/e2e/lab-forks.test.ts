import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { type LabServer, labOf, startLab } from "../support/lab-server.js";

let lab: LabServer;

beforeAll(async () => {
  lab = await startLab();
});
afterAll(() => lab.dispose());

const maps = "/api/v1/namespaces/default/configmaps";
const names = async (api: ApiClient) =>
  (await api.get(maps)).body.items
    .map(({ metadata }: { metadata: { name: string } }) => metadata.name)
    .filter((name: string) => !name.startsWith("kube-root-ca"));

test("forks begin with the state of a snapshot or of the moment, and go their own ways", async () => {
  const { api, server } = lab;
  await api.post(maps, { metadata: { name: "a" } });
  const snapshot = await server.snapshot();
  await api.post(maps, { metadata: { name: "b" } });
  await api.delete(`${maps}/a`);
  const [old, now] = await Promise.all(
    [server.fork(snapshot), server.fork()].map(async (f) => labOf(await f)),
  );
  if (old === undefined || now === undefined) throw new Error("two were started");
  expect([await names(old.api), await names(now.api), await names(api)]).toEqual([["a"], ["b"], ["b"]]);
  const uid = async (of: ApiClient, name: string) => (await of.get(`${maps}/${name}`)).body.metadata.uid;
  expect(await uid(now.api, "b")).toBe(await uid(api, "b"));

  await Promise.all(
    [old, now].map(({ api: fork }, i) => fork.post(maps, { metadata: { name: `only-${i}` } })),
  );
  expect([await names(old.api), await names(now.api), await names(api)]).toEqual([
    ["a", "only-0"],
    ["b", "only-1"],
    ["b"],
  ]);
  // A fork has a lab of its own, and the credentials of the first server are good there.
  await old.server.clock.advance("1h");
  expect(old.server.clock.now().getTime() - now.server.clock.now().getTime()).toBeGreaterThan(3_000_000);
  const asBefore = new ApiClient({ url: old.server.url, kubeconfig: lab.kubeconfig });
  expect((await asBefore.get(maps)).status).toBe(200);
  await old.dispose();
  expect(await names(now.api)).toEqual(["b", "only-1"]);
  await now.dispose();
  expect(await names(api)).toEqual(["b"]);
});

test("a fork is had and ended at a path, too", async () => {
  const { api } = lab;
  const { status, body } = await api.ask("POST", "/lab/forks");
  expect([status, body]).toEqual([200, { name: expect.any(String), url: expect.stringMatching(/^https:/) }]);
  const fork = new ApiClient({ url: body.url, kubeconfig: lab.kubeconfig });
  await fork.post(maps, { metadata: { name: "elsewhere" } });
  expect(await names(api)).not.toContain("elsewhere");
  expect((await api.get("/lab/forks")).body.items).toEqual([body]);
  expect((await api.delete(`/lab/forks/${body.name}`)).status).toBe(200);
  await expect(fork.get(maps)).rejects.toThrow();
  expect((await api.delete(`/lab/forks/${body.name}`)).status).toBe(404);
  expect((await api.ask("POST", "/lab/forks?snapshot=none")).status).toBe(404);
});

test("a fork of a former state lists and watches that state, though most of it is taken over from the caches", async () => {
  const { api, server } = lab;
  const place = `${maps}?labelSelector=of=state`;
  const map = (name: string, text: string) => ({
    metadata: { name, labels: { of: "state" } },
    data: { text },
  });
  await Promise.all(["kept", "changed", "gone"].map((name) => api.post(maps, map(name, "1"))));
  const role = "/apis/rbac.authorization.k8s.io/v1/clusterroles/view";
  expect((await api.delete(role)).status).toBe(200);
  const snapshot = await server.snapshot();
  await api.put(`${maps}/changed`, map("changed", "2"));
  await api.delete(`${maps}/gone`);
  await api.post(maps, map("made", "2"));
  const fork = labOf(await server.fork(snapshot));
  const texts = async () =>
    (await fork.api.get(place)).body.items.map(
      ({ metadata, data }: { metadata: { name: string }; data: { text: string } }) => [
        metadata.name,
        data.text,
      ],
    );
  const before = [
    ["changed", "1"],
    ["gone", "1"],
    ["kept", "1"],
  ];
  expect(await texts()).toEqual(before);
  const cached = await fork.api.get(`${place}&resourceVersion=0`);
  expect(cached.body.items).toHaveLength(3);
  await fork.api.put(`${maps}/kept`, map("kept", "3"));
  expect(await texts()).toEqual([...before.slice(0, 2), ["kept", "3"]]);
  // It is not a new cluster: what was deleted stays so.
  expect((await fork.api.get(role)).status).toBe(404);
  await fork.dispose();
  expect((await api.get(`${maps}/kept`)).body.data).toEqual({ text: "1" });
});

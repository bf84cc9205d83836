import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LabServer, startLab } from "../support/lab-server.js";

let lab: LabServer;
beforeAll(async () => {
  lab = await startLab();
});
afterAll(() => lab.dispose());

const maps = "/api/v1/namespaces/default/configmaps";

test("an object's versions say what changed and who managed it, and one is written again", async () => {
  const { api, server } = lab;
  await api.post(maps, { metadata: { name: "other" } });
  const made = await api.ask("POST", `${maps}?fieldManager=maker`, {
    body: { metadata: { name: "a" }, data: { colour: "red" } },
  });
  await api.ask("PATCH", `${maps}/a?fieldManager=painter`, {
    body: { data: { colour: "blue", size: "1" } },
    contentType: "application/merge-patch+json",
  });
  await api.delete(`${maps}/a`);
  const answer = await api.get(`/lab/history?path=${encodeURIComponent(`${maps}/a`)}`);
  expect(answer.status, answer.text).toBe(200);
  const [created, updated, deleted, ...more] = answer.body.items;
  expect(more).toEqual([]);
  expect(created).toMatchObject({ type: "created", managers: ["maker"] });
  expect(created.version).toBe(made.body.metadata.resourceVersion);
  expect(created.time).toBe(made.body.metadata.creationTimestamp);
  expect(updated.time >= created.time).toBe(true);
  expect(deleted.time).toBeUndefined();
  expect(updated).toMatchObject({ type: "updated", managers: ["painter"] });
  expect(updated.changes).toEqual([
    { path: "data.colour", before: "red", after: "blue" },
    { path: "data.size", after: "1" },
  ]);
  expect(deleted).toMatchObject({ type: "deleted", managers: [] });

  await server.history.undo(`${maps}/a`, created.version);
  const again = (await api.get(`${maps}/a`)).body;
  expect([again.data, again.metadata.uid]).toEqual([{ colour: "red" }, made.body.metadata.uid]);
  expect((await server.history.of(`${maps}/a`)).map(({ type }) => type)).toEqual([
    "created",
    "updated",
    "deleted",
    "created",
  ]);
  await expect(server.history.undo(`${maps}/a`, "1000000")).rejects.toThrow("has no version 1000000");
  await expect(server.history.undo(`${maps}/a`, deleted.version)).rejects.toThrow("there was no object");
  await expect(server.history.of(`${maps}/none`)).rejects.toThrow("not found");
  await expect(server.history.of(maps)).rejects.toThrow("not the path of an object");
});

test("where requests are audited, the versions say whose they were", async () => {
  const directory = mkdtempSync(join(tmpdir(), "history-"));
  const policy = join(directory, "policy.yaml");
  const rules = "rules:\n- level: None\n  users: [unseen]\n- level: Metadata\n";
  writeFileSync(policy, `apiVersion: audit.k8s.io/v1\nkind: Policy\n${rules}`);
  const audited = await startLab({
    options: { auditPolicyFile: policy, auditLogPath: join(directory, "audit.log") },
  });
  try {
    const as = async (user: string) =>
      audited.clientOf(await audited.server.kubeconfigFor({ user, groups: ["system:masters"] }));
    const [ann, bob, unseen] = await Promise.all(["ann", "bob", "unseen"].map(as));
    if (ann === undefined || bob === undefined || unseen === undefined) throw new Error("there are three");
    await ann.post(maps, { metadata: { name: "a" }, data: { text: "x" } });
    // Changes nothing, so it is no version.
    await bob.put(`${maps}/a`, { metadata: { name: "a" }, data: { text: "x" } });
    await unseen.put(`${maps}/a`, { metadata: { name: "a" }, data: { text: "y" } });
    // Large enough for a thread of its own.
    await bob.put(`${maps}/a`, { metadata: { name: "a" }, data: { text: "z".repeat(900_000) } });
    await bob.put(`${maps}/a`, { metadata: { name: "a", finalizers: ["example.com/held"] } });
    await ann.delete(`${maps}/a`);
    await bob.put(`${maps}/a`, { metadata: { name: "a", finalizers: [] } });
    const path = `/lab/history?path=${encodeURIComponent(`${maps}/a`)}`;
    const { items } = (await audited.api.get(path)).body;
    expect(items.map(({ type, user }: { type: string; user?: string }) => `${type} ${user}`)).toEqual([
      "created ann",
      "updated undefined",
      "updated bob",
      "updated bob",
      "updated ann",
      "deleted bob",
    ]);
  } finally {
    await audited.dispose();
    rmSync(directory, { recursive: true, force: true });
  }
});

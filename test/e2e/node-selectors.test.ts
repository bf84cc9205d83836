import { afterAll, describe, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { disposeAll } from "../support/server-process.js";

const servers: ServerHere[] = [];

afterAll(() => disposeAll(servers));

const own = "fieldSelector=spec.nodeName%3Dn1";

describe.each([
  ["1.31", false],
  ["1.32", true],
  ["1.34", true],
  ["1.36", true],
] as const)("at %s", (level, isLimited) => {
  test("a node reads itself and the pods on it, as the level has it", async () => {
    const server = await startServerHere({
      args: [
        `--api-level=${level}`,
        "--authorization-mode=Node,RBAC",
        "--enable-admission-plugins=NodeRestriction",
      ],
    });
    servers.push(server);
    const admin = new ApiClient(server);
    const headers = { "impersonate-user": "system:node:n1", "impersonate-group": "system:nodes" };
    const status = async (path: string): Promise<number> =>
      (await admin.ask("GET", path, { headers })).status;
    for (const [name, nodeName] of [
      ["mine", "n1"],
      ["other", "n2"],
    ]) {
      const spec = { nodeName, containers: [{ name: "c", image: "i" }] };
      const { status: created } = await admin.post("/api/v1/namespaces/default/pods", {
        metadata: { name },
        spec,
      });
      expect(created).toBe(201);
      await admin.post("/api/v1/nodes", { metadata: { name: nodeName } });
    }
    const forbidden = isLimited ? 403 : 200;
    await expect.poll(() => status("/api/v1/namespaces/default/pods/mine")).toBe(200);
    expect(await status("/api/v1/namespaces/default/pods/other")).toBe(forbidden);
    expect(await status("/api/v1/pods")).toBe(forbidden);
    expect(await status(`/api/v1/pods?${own}`)).toBe(200);
    expect(await status("/api/v1/pods?fieldSelector=spec.nodeName%3Dn2")).toBe(forbidden);
    expect(await status("/api/v1/nodes/n1")).toBe(200);
    expect(await status("/api/v1/nodes?fieldSelector=metadata.name%3Dn1")).toBe(200);
    expect(await status("/api/v1/nodes/n2")).toBe(forbidden);
    if (level === "1.34" || level === "1.36") {
      const slices = "/apis/resource.k8s.io/v1/resourceslices";
      expect(await status(slices)).toBe(403);
      expect(await status(`${slices}?${own}`)).toBe(200);
      expect(await status("/api/v1/namespaces/default/serviceaccounts/default")).toBe(200);
      expect(await status("/api/v1/namespaces/default/serviceaccounts/another")).toBe(403);
    }
    const { body: mine } = await admin.get("/api/v1/namespaces/default/pods/mine");
    const boundObjectRef = { apiVersion: "v1", kind: "Pod", name: "mine", uid: mine.metadata.uid };
    const askFor = async (audiences: readonly string[]): Promise<number> => {
      const body = { spec: { audiences, boundObjectRef } };
      const path = "/api/v1/namespaces/default/serviceaccounts/default/token";
      return (await admin.ask("POST", path, { headers, body })).status;
    };
    // The pod's own volume asks for a token without an audience.
    expect(await askFor([])).toBe(201);
    expect(await askFor(["elsewhere"])).toBe(level === "1.34" || level === "1.36" ? 403 : 201);
    await admin.close();
  });
});

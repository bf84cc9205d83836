import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";

const namespace = "/api/v1/namespaces/default";

/** A server at one level, and what it answers. */
function serverAt(level: string) {
  const running: { server?: ServerHere; api?: ApiClient } = {};
  beforeAll(async () => {
    running.server = await startServerHere({ args: [`--api-level=${level}`] });
    running.api = new ApiClient(running.server);
    // A controller makes it.
    while ((await api().get(`${namespace}/serviceaccounts/default`)).status !== 200) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
  afterAll(async () => {
    await running.server?.dispose();
  });
  const api = (): ApiClient => {
    if (running.api === undefined) throw new Error("not started");
    return running.api;
  };
  return {
    api,
    async tokenFor(boundObjectRef: object, metadata: object = {}) {
      return await api().post(`${namespace}/serviceaccounts/default/token`, {
        metadata,
        spec: { boundObjectRef },
      });
    },
    async review(token: string) {
      const answer = await api().post("/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token } });
      return answer.body.status;
    },
  };
}

const merge = "application/merge-patch+json";
const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
const node = { apiVersion: "v1", kind: "Node", name: "n" };
const pod = { apiVersion: "v1", kind: "Pod", name: "p" };
const podObject = {
  metadata: { name: "p" },
  spec: { nodeName: "n", containers: [{ name: "c", image: "i" }] },
};

describe("at 1.35", () => {
  const { api, tokenFor, review } = serverAt("1.35");

  test("tokens have ids, tell nodes, and end with the node that they are bound to", async () => {
    const uid = (await api().post("/api/v1/nodes", { metadata: { name: "n" } })).body.metadata.uid;
    expect((await api().post(`${namespace}/pods`, podObject)).status).toBe(201);
    const ofPod = (await tokenFor(pod)).body.status.token;
    const claims = claimsOf(ofPod);
    expect(claims.jti).toMatch(/^[0-9a-f-]{36}$/);
    expect(claims["kubernetes.io"].node).toEqual({ name: "n", uid });
    expect((await review(ofPod)).user.extra).toMatchObject({
      "authentication.kubernetes.io/credential-id": [`JTI=${claims.jti}`],
      "authentication.kubernetes.io/node-name": ["n"],
      "authentication.kubernetes.io/node-uid": [uid],
      "authentication.kubernetes.io/pod-name": ["p"],
    });
    const ofNode = (await tokenFor(node)).body.status.token;
    expect(await review(ofNode)).toMatchObject({ authenticated: true });
    expect((await tokenFor({ ...node, name: "missing" })).status).toBe(404);
    await api().delete("/api/v1/nodes/n");
    await expect.poll(async () => (await review(ofNode)).authenticated).toBeUndefined();
    expect(await review(ofPod)).toMatchObject({ authenticated: true });
  });

  test("a token for an account of another uid is refused", async () => {
    expect((await tokenFor(pod, { uid: "x" })).body).toMatchObject({
      code: 409,
      message: expect.stringMatching(
        /^Operation cannot be fulfilled on TokenRequest\.authentication\.k8s\.io "default": the UID in the token request \(x\) does not match/,
      ),
    });
  });

  test("endpoints are deprecated, and services warn of what they are given", async () => {
    expect((await api().get(`${namespace}/endpoints`)).headers.warning).toBe(
      '299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"',
    );
    const spec = { ports: [{ port: 80 }], externalIPs: ["1.2.3.04"], trafficDistribution: "PreferClose" };
    const service = await api().post(`${namespace}/services`, { metadata: { name: "s" }, spec });
    expect(service.status).toBe(201);
    expect(service.body.spec.externalTrafficPolicy).toBe("Cluster");
    const warning = String(service.headers.warning);
    expect(warning).toContain("non-standard IP address");
    expect(warning).toContain('\\"PreferClose\\" is deprecated; use \\"PreferSameZone\\"');
  });

  test("a load balancer has the mode of its addresses, other services have no load balancer", async () => {
    const balanced = { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } };
    const ports = [{ port: 80 }];
    await api().post(`${namespace}/services`, {
      metadata: { name: "b" },
      spec: { type: "LoadBalancer", ports },
    });
    await api().post(`${namespace}/services`, { metadata: { name: "c" }, spec: { ports } });
    const written = await api().patch(`${namespace}/services/b/status`, merge, { status: balanced });
    expect(written.body.status.loadBalancer.ingress).toEqual([{ ip: "1.2.3.4", ipMode: "VIP" }]);
    const refused = await api().patch(`${namespace}/services/c/status`, merge, { status: balanced });
    expect(refused.status).toBe(422);
    expect(refused.body.message).toContain("may only be used when `spec.type` is 'LoadBalancer'");
  });
});

describe("at 1.23", () => {
  const { api, tokenFor } = serverAt("1.23");

  test("none of this applies", async () => {
    expect((await api().get(`${namespace}/endpoints`)).headers.warning).toBeUndefined();
    await api().post("/api/v1/nodes", { metadata: { name: "n" } });
    expect((await api().post(`${namespace}/pods`, podObject)).status).toBe(201);
    const claims = claimsOf((await tokenFor(pod, { uid: "x" })).body.status.token);
    expect([claims.jti, claims["kubernetes.io"].node]).toEqual([undefined, undefined]);
    expect((await tokenFor(node)).body).toMatchObject({
      code: 400,
      message: "cannot bind token to object of type /v1, Kind=Node",
    });
    const spec = { ports: [{ port: 80 }], externalIPs: ["1.2.3.04"] };
    const service = await api().post(`${namespace}/services`, { metadata: { name: "s" }, spec });
    expect([service.status, service.headers.warning]).toEqual([201, undefined]);
    expect(service.body.spec.externalTrafficPolicy).toBeUndefined();
  });
});

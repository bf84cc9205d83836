import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiLevel } from "../../src/apimachinery/levels/api-level.js";
import type { Answer, Json } from "./api-caller.js";
import { type ApiGround, openApiGround } from "./api-ground.js";

/** What a token of a service account says, and what it may be bound to. */

const namespace = "/api/v1/namespaces/default";

describe.each<{
  level: ApiLevel;
  ids: boolean;
  nodesOfPods: boolean;
  boundNodes: boolean;
  checksUid: boolean;
}>([
  { level: "1.28", ids: false, nodesOfPods: false, boundNodes: false, checksUid: false },
  { level: "1.29", ids: false, nodesOfPods: false, boundNodes: false, checksUid: false },
  { level: "1.30", ids: true, nodesOfPods: true, boundNodes: false, checksUid: false },
  { level: "1.31", ids: true, nodesOfPods: true, boundNodes: true, checksUid: false },
  { level: "1.33", ids: true, nodesOfPods: true, boundNodes: true, checksUid: false },
  { level: "1.34", ids: true, nodesOfPods: true, boundNodes: true, checksUid: true },
  { level: "1.36", ids: true, nodesOfPods: true, boundNodes: true, checksUid: true },
])("at $level", ({ level, ids, nodesOfPods, boundNodes, checksUid }) => {
  let ground: ApiGround;
  let node: Json;
  let pod: Json;

  const ask = (boundObjectRef?: object, metadata: object = {}): Promise<Answer> =>
    ground.api.post(`${namespace}/serviceaccounts/robot/token`, { metadata, spec: { boundObjectRef } });

  beforeAll(async () => {
    ground = await openApiGround({ apiLevel: level });
    await ground.api.post(`${namespace}/serviceaccounts`, { metadata: { name: "robot" } });
    node = (await ground.api.post("/api/v1/nodes", { metadata: { name: "n1" } })).body;
    const spec = { serviceAccountName: "robot", nodeName: "n1", containers: [{ name: "c", image: "i" }] };
    pod = (await ground.api.post(`${namespace}/pods`, { metadata: { name: "p" }, spec })).body;
  });
  afterAll(() => ground.dispose());

  test("a pod's token has an id and tells the node, by level", async () => {
    const answer = await ask({ apiVersion: "v1", kind: "Pod", name: "p" });
    expect(answer.code, JSON.stringify(answer.body)).toBe(201);
    const claims = claimsOf(answer.body.status.token);
    expect(claims["kubernetes.io"].pod).toEqual({ name: "p", uid: pod.metadata.uid });
    expect(claims["kubernetes.io"].node).toEqual(
      nodesOfPods ? { name: "n1", uid: node.metadata.uid } : undefined,
    );
    if (ids) expect(claims.jti).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    else expect(claims).not.toHaveProperty("jti");
  });

  test("a token is not bound to an object without a name", async () => {
    expect((await ask({ apiVersion: "v1", kind: "Pod" })).body).toMatchObject({
      code: 400,
      message: "Name parameter required.",
    });
  });

  test("a token is bound to a node, by level", async () => {
    const answer = await ask({ apiVersion: "v1", kind: "Node", name: "n1" });
    if (boundNodes) {
      expect(claimsOf(answer.body.status.token)["kubernetes.io"].node).toEqual({
        name: "n1",
        uid: node.metadata.uid,
      });
    } else {
      expect(answer.body).toMatchObject({
        code: 400,
        message:
          level === "1.28"
            ? "cannot bind token to object of type /v1, Kind=Node"
            : 'cannot bind token to a Node object as the "ServiceAccountTokenNodeBinding" feature-gate is disabled',
      });
    }
  });

  test("an account of another uid is a conflict, by level", async () => {
    expect((await ask(undefined, { uid: "of-another" })).code).toBe(checksUid ? 409 : 201);
  });
});

test("a node is a token's with its gate at 1.29, and no uid is looked at without its gate at 1.34", async () => {
  const grounds = [
    await openApiGround({
      apiLevel: "1.29",
      featureGates: new Map([
        ["ServiceAccountTokenJTI", true],
        ["ServiceAccountTokenPodNodeInfo", true],
        ["ServiceAccountTokenNodeBinding", true],
        ["ServiceAccountTokenNodeBindingValidation", true],
      ]),
    }),
    await openApiGround({
      apiLevel: "1.34",
      featureGates: new Map([["TokenRequestServiceAccountUIDValidation", false]]),
    }),
  ];
  for (const { api } of grounds) {
    await api.post(`${namespace}/serviceaccounts`, { metadata: { name: "robot" } });
    await api.post("/api/v1/nodes", { metadata: { name: "n1" } });
    const answer = await api.post(`${namespace}/serviceaccounts/robot/token`, {
      metadata: { uid: "of-another" },
      spec: { boundObjectRef: { apiVersion: "v1", kind: "Node", name: "n1" } },
    });
    expect(claimsOf(answer.body.status.token)).toMatchObject({
      jti: expect.any(String),
      "kubernetes.io": { node: { name: "n1" } },
    });
  }
  for (const ground of grounds) await ground.dispose();
});

function claimsOf(token: string): Json {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
}

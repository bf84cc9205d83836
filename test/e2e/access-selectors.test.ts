import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { startServerHere } from "../support/in-process-server.js";

interface Review {
  readonly apiVersion: string;
  readonly spec: { readonly user: string; readonly resourceAttributes?: object };
}

let home: string;
let judge: Server;
const reviews: Review[] = [];

/** Allows what is limited to the pods of one node. */
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "access-selectors-"));
  judge = createServer(async (request, response) => {
    let text = "";
    for await (const piece of request) text += piece;
    const review = JSON.parse(text) as Review;
    reviews.push(review);
    const { fieldSelector } = (review.spec.resourceAttributes ?? {}) as {
      fieldSelector?: { requirements: { key: string; values: string[] }[] };
    };
    const allowed =
      fieldSelector?.requirements.some(({ key, values }) => key === "spec.nodeName" && values[0] === "n1") ===
      true;
    response.setHeader("Content-Type", "application/json");
    response.end(
      JSON.stringify({ apiVersion: review.apiVersion, kind: "SubjectAccessReview", status: { allowed } }),
    );
  });
  await once(judge.listen(0, "127.0.0.1"), "listening");
  const { port } = judge.address() as AddressInfo; // a TCP server that listens
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
    clusters: [{ name: "c", cluster: { server: `http://127.0.0.1:${port}` } }],
    users: [{ name: "u", user: {} }],
  };
  writeFileSync(join(home, "judge"), JSON.stringify(config));
  writeFileSync(join(home, "tokens.csv"), "t-jane,jane,1\n");
});

afterAll(() => {
  judge.close();
  rmSync(home, { recursive: true, force: true });
});

const onNode = "fieldSelector=spec.nodeName%3Dn1&labelSelector=team";
const requirements = [{ key: "spec.nodeName", operator: "In", values: ["n1"] }];

describe.each([
  ["1.31", false],
  ["1.32", true],
  ["1.36", true],
] as const)("at %s", (level, told) => {
  test("authorizers and reviews know the selectors of requests, as the level does", async () => {
    const server = await startServerHere({
      args: [
        `--api-level=${level}`,
        ...["--token-auth-file", join(home, "tokens.csv")],
        ...[
          "--authorization-mode",
          "RBAC,Webhook",
          "--authorization-webhook-config-file",
          join(home, "judge"),
        ],
        ...["--authorization-webhook-version", "v1"],
      ],
    });
    const admin = new ApiClient(server);
    const jane = new ApiClient(server, { anonymous: true });
    try {
      const statusOf = async (method: string, path: string): Promise<number> =>
        (await jane.ask(method, path, { headers: { authorization: "Bearer t-jane" } })).status;
      const allowed = told ? 200 : 403;
      expect(await statusOf("GET", `/api/v1/pods?${onNode}`)).toBe(allowed);
      expect(await statusOf("DELETE", `/api/v1/namespaces/default/pods?${onNode}`)).toBe(allowed);
      expect(await statusOf("GET", "/api/v1/pods?fieldSelector=spec.nodeName%3Dn2")).toBe(403);
      expect(
        await statusOf("GET", "/api/v1/namespaces/default/pods/p?fieldSelector=spec.nodeName%3Dn1"),
      ).toBe(403);
      const lists = reviews.filter(({ spec }) => spec.user === "jane").splice(0);
      reviews.length = 0;
      expect(lists[0]?.spec.resourceAttributes).toEqual({
        verb: "list",
        version: "v1",
        resource: "pods",
        ...(told && {
          fieldSelector: { requirements },
          labelSelector: { requirements: [{ key: "team", operator: "Exists" }] },
        }),
      });

      const reviewed = await admin.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", {});
      expect(reviewed.body.status.userInfo.extra).toEqual(
        told
          ? {
              "authentication.kubernetes.io/credential-id": [
                expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/),
              ],
            }
          : undefined,
      );

      const ask = async (fieldSelector: object) => {
        const { body } = await admin.ask("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", {
          body: {
            apiVersion: "authorization.k8s.io/v1",
            kind: "SubjectAccessReview",
            spec: { user: "joe", resourceAttributes: { verb: "list", resource: "pods", fieldSelector } },
          },
        });
        return body;
      };
      expect(await ask({ rawSelector: "spec.nodeName=n1" })).toMatchObject({ status: { allowed: told } });
      expect(await ask({ requirements })).toMatchObject({ status: { allowed: told } });
      const refused = await ask({ rawSelector: "spec.nodeName=n1", requirements });
      expect(refused).toMatchObject(told ? { code: 422 } : { status: { allowed: false } });
      const later = [...requirements, { key: "spec.nodeName", operator: "Later" }];
      const partial = (await ask({ requirements: later })) as { status: { evaluationError?: string } };
      expect(partial.status.evaluationError).toBe(
        told ? "spec.resourceAttributes.fieldSelector partially ignored due to parse error" : undefined,
      );
    } finally {
      await Promise.all([admin.close(), jane.close()]);
      await server.dispose();
    }
  });
});

import { expect, test } from "vitest";
import { requestInfoOf } from "./request-info.js";

function summary(method: string, target: string): string {
  const [path = "", query = ""] = target.split("?");
  const info = requestInfoOf(method, path, new URLSearchParams(query));
  if (!info.isResourceRequest) return `${info.verb} ${info.path}`;
  const { verb, apiGroup, apiVersion, namespace, resource, name, subresource } = info;
  return [verb, apiGroup, apiVersion, namespace, resource, name, subresource].join("|");
}

test.each([
  ["GET", "/api/v1/pods", "list||v1||pods||"],
  ["GET", "/api/v1/pods?watch=1", "watch||v1||pods||"],
  ["GET", "/api/v1/pods?watch=true", "watch||v1||pods||"],
  ["GET", "/api/v1/pods?watch=false", "list||v1||pods||"],
  ["GET", "/api/v1/namespaces/ns/pods", "list||v1|ns|pods||"],
  ["POST", "/api/v1/namespaces/ns/pods", "create||v1|ns|pods||"],
  ["GET", "/api/v1/namespaces/ns/pods/a", "get||v1|ns|pods|a|"],
  ["HEAD", "/api/v1/namespaces/ns/pods/a", "get||v1|ns|pods|a|"],
  ["PUT", "/api/v1/namespaces/ns/pods/a/status", "update||v1|ns|pods|a|status"],
  ["PATCH", "/apis/apps/v1/namespaces/ns/deployments/a", "patch|apps|v1|ns|deployments|a|"],
  ["DELETE", "/apis/apps/v1/namespaces/ns/deployments/a", "delete|apps|v1|ns|deployments|a|"],
  ["DELETE", "/apis/apps/v1/namespaces/ns/deployments", "deletecollection|apps|v1|ns|deployments||"],
  ["GET", "/api/v1/namespaces", "list||v1||namespaces||"],
  ["GET", "/api/v1/namespaces/ns", "get||v1|ns|namespaces|ns|"],
  ["PUT", "/api/v1/namespaces/ns/finalize", "update||v1|ns|namespaces|ns|finalize"],
  ["GET", "/api/v1/namespaces/ns/status", "get||v1|ns|namespaces|ns|status"],
  ["GET", "/api/v1/namespaces/ns/pods?fieldSelector=metadata.name=a", "list||v1|ns|pods|a|"],
  ["GET", "/api/v1/pods?watch=1&fieldSelector=x!%3Db,metadata.name%3Da", "watch||v1||pods|a|"],
  ["GET", "/api/v1/pods?fieldSelector=metadata.name!=a", "list||v1||pods||"],
  ["GET", "/api/v1/pods?fieldSelector=metadata.name=a/b", "list||v1||pods||"],
  ["GET", "/api/v1/pods?fieldSelector=metadata.name", "list||v1||pods||"],
  ["DELETE", "/api/v1/namespaces/ns/pods?fieldSelector=metadata.name=a", "deletecollection||v1|ns|pods||"],
  ["GET", "/api/v1/pods/", "list||v1||pods||"],
  ["GET", "//api/v1/namespaces/ns/pods//", "list||v1|ns|pods||"],
  ["GET", "/api/v1/namespaces//pods", "list||v1||pods||"],
  ["GET", "/api/v1//pods", "get||v1|||pods|"],
  ["GET", "/api/v1/watch/namespaces/ns/pods", "watch||v1|ns|pods||"],
  ["POST", "/api/v1/watch/namespaces/ns/pods", "||v1|ns|pods||"],
  ["GET", "/api/v1/nodes/n/proxy/metrics/x", "get||v1||nodes|n|proxy"],
  ["GET", "/apis/rbac.example.org/v1/roles", "list|rbac.example.org|v1||roles||"],
])("%s %s is %s", (method, target, expected) => {
  expect(summary(method, target)).toBe(expected);
});

test.each([
  ["GET", "/", "get /"],
  ["GET", "/api", "get /api"],
  ["GET", "/api/v1", "get /api/v1"],
  ["GET", "/apis/apps", "get /apis/apps"],
  ["GET", "/apis/apps/v1", "get /apis/apps/v1"],
  ["GET", "/healthz", "get /healthz"],
  ["POST", "/version", "post /version"],
])("%s %s is no resource request", (method, target, expected) => {
  expect(summary(method, target)).toBe(expected);
});

test("a path of a million slashes has few parts, which hold all of it", () => {
  const rest = "/".repeat(1_000_000);
  const info = requestInfoOf("GET", `/api/v1/nodes/n/proxy/a${rest}b`, new URLSearchParams());
  expect(info).toMatchObject({ resource: "nodes", name: "n", subresource: "proxy" });
  expect(info.parts.length).toBeLessThan(12);
  expect(info.parts.join("/")).toBe(`nodes/n/proxy/a${rest}b`);
  expect(requestInfoOf("GET", `/apis${rest}v1/things`, new URLSearchParams()).isResourceRequest).toBe(true);
});

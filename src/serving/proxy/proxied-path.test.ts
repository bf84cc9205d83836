import { expect, test } from "vitest";
import { escapePath, pathBefore, rewriteLocation } from "./proxied-path.js";

test.each([
  ["/a b/c?d#e", "/a%20b/c%3Fd%23e"],
  ["/x:y@z&q=1+2,;$", "/x:y@z&q=1+2,;$"],
  ["/it's(*)!", "/it%27s%28%2A%29%21"],
  ["/ü", "/%C3%BC"],
])("%s is escaped as %s", (path, escaped) => expect(escapePath(path)).toBe(escaped));

test.each([
  ["/api/v1/nodes/n/proxy/a/b", "/a/b", "/api/v1/nodes/n/proxy"],
  ["/api/v1/nodes/n/proxy/", "/", "/api/v1/nodes/n/proxy"],
  ["/api/v1/nodes/n/proxy/a%2Fb", "/a/b", "/api/v1/nodes/n/proxy/a%2Fb"],
])("before %s comes %s: %s", (whole, path, before) => expect(pathBefore(whole, path)).toBe(before));

const from = { host: "10.0.0.1:80", clientHost: "api.example:6443", prefix: "/p/proxy" };

test.each([
  ["/there?x=1#y", "/p/proxy/there?x=1#y"],
  ["/there/", "/p/proxy/there/"],
  ["/p/proxy/there", "/p/proxy/there"],
  ["http://10.0.0.1:80/there", "/p/proxy/there"],
  ["https://api.example:6443/there", "/p/proxy/there"],
  ["//10.0.0.1:80/there", "/p/proxy/there"],
  ["https://elsewhere.example/there", "https://elsewhere.example/there"],
  ["there", "there"],
  ["?only=query", "?only=query"],
])("a redirect to %s leads to %s", (location, rewritten) =>
  expect(rewriteLocation(location, from)).toBe(rewritten),
);

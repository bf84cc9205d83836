import { expect, test } from "vitest";
import type { AdmissionChain } from "../../admission/chain/admission-chain.js";
import type { ApiRequest } from "../../request/api-request.js";
import { nodeProxy, type ProxyParts, podProxy } from "./proxy-targets.js";

const admission: AdmissionChain = { mutate: async () => undefined, validate: async () => undefined };

/** One object of each resource, for any name; names resolve to `resolved`. */
function partsWith(objects: Readonly<Record<string, unknown>>, resolved: readonly string[] = []): ProxyParts {
  const registry = (resource: string) => ({ get: async () => ({ decode: () => objects[resource] }) });
  const parts = {
    registry,
    agents: {
      nodes: () => registry("nodes"),
      addressTypes: ["InternalIP", "Hostname"],
      endpointField: "agent",
      defaultPort: 10250,
      tls: { verify: false },
      connectTimeoutMs: 1000,
    },
    admission,
    resolve: async () => resolved,
    random: () => 0,
  };
  // Registries are only asked for one object, by `get`.
  return parts as unknown as ProxyParts;
}

/** Does not dial: the tests check the address that would be dialled. */
async function dialled(make: typeof podProxy, parts: ProxyParts, path: string): Promise<string> {
  const segments = path.split("/").slice(1);
  const info = {
    path: `/api/v1/${path}`,
    apiVersion: "v1",
    namespace: "ns",
    resource: "x",
    name: segments[0],
    parts: ["x", ...segments],
  };
  // All that the proxies use of a request.
  const request = { info, query: new URLSearchParams(), user: { name: "u" } } as unknown as ApiRequest;
  const result = await make(parts)(request);
  if (result.mode !== "proxy") throw new Error(result.mode);
  return `${result.target.host}:${result.target.port}${result.path}`;
}

const podAt = (ip: string) => partsWith({ pods: { spec: {}, status: { podIPs: [{ ip }] } } });
const nodeAt = (type: string, address: string, resolved: readonly string[] = []) =>
  partsWith({ nodes: { status: { addresses: [{ type, address }] } } }, resolved);

test.each([
  ["10.0.0.1", "10.0.0.1:80/"],
  ["0177.0.0.1", "177.0.0.1:80/"],
  ["010.000.0.07", "10.0.0.7:80/"],
  ["::ffff:10.0.0.1", "10.0.0.1:80/"],
  ["2001:DB8::1", "2001:db8:0:0:0:0:0:1:80/"],
])("a pod at %s is dialled as it was checked", async (ip, expected) => {
  expect(await dialled(podProxy, podAt(ip), "/p/proxy/")).toBe(expected);
});

test.each(["127.0.0.1", "0127.0.0.1", "::ffff:127.0.0.1", "0x7f.0.0.1", "127.1", "localhost"])(
  "a pod at %s is not dialled",
  async (ip) => {
    await expect(dialled(podProxy, podAt(ip), "/p/proxy/")).rejects.toThrow("address not allowed");
  },
);

test("a node's port is dialled at the address that was checked, not by its name again", async () => {
  const node = nodeAt("Hostname", "node-1.example", ["10.0.0.5", "10.0.0.6"]);
  expect(await dialled(nodeProxy, node, "/node-1:8080/proxy/")).toBe("10.0.0.5:8080/");
  const rebound = nodeAt("Hostname", "node-1.example", ["10.0.0.5", "127.0.0.1"]);
  await expect(dialled(nodeProxy, rebound, "/node-1:8080/proxy/")).rejects.toThrow("address not allowed");
});

test("a node's agent is dialled at a canonical address, or by a name", async () => {
  expect(await dialled(nodeProxy, nodeAt("InternalIP", "0177.0.0.1"), "/n/proxy/")).toBe("177.0.0.1:10250/");
  expect(await dialled(nodeProxy, nodeAt("Hostname", "node_1.example"), "/n/proxy/")).toBe(
    "node_1.example:10250/",
  );
});

test.each(["a@127.0.0.1", "127.1", "0x7f000001", "2130706433", "a b", "a/b", "a:80", ""])(
  "a node address %j is 400",
  async (address) => {
    await expect(dialled(nodeProxy, nodeAt("Hostname", address), "/n/proxy/")).rejects.toMatchObject({
      status: { code: 400 },
    });
  },
);

test.each([
  ["/n/proxy/a/b", "/a/b"],
  ["/n/proxy/../../secret", "/secret"],
  ["/n/proxy/a/../../../b/./c", "/b/c"],
  ["/n/proxy/..", ""],
  [`/n/proxy/${"a/".repeat(30)}../..`, `/${"a/".repeat(28)}`.slice(0, -1)],
])("%s does not lead out of the node", async (path, expected) => {
  expect(await dialled(nodeProxy, nodeAt("InternalIP", "10.0.0.1"), path)).toBe(`10.0.0.1:10250${expected}`);
});

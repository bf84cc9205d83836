import { expect, test } from "vitest";
import type { AccessInfo } from "../../apimachinery/requests/authorizer.js";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import type { ResourceClaim, ResourceClaimStatus } from "../../apis/gen/resource-v1.js";
import { testWriteContext } from "../../apis/testing/api-context.js";
import { claimStatusHooks } from "./status-authorization.js";

const driverOf = (name: string) => `${name}.example.com`;
const device = (driver: string, data?: object) => ({
  driver: driverOf(driver),
  pool: "p",
  device: "d",
  data,
});
const result = (driver: string) => ({ request: "r", driver: driverOf(driver), pool: "p", device: "d" });
const onNode = (name: string, more: object[] = []) => ({
  nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: [name] }] }, ...more],
});
const allocatedTo = (drivers: readonly string[], nodeSelector?: object) => ({
  devices: { results: drivers.map(result) },
  nodeSelector,
});

interface Write {
  readonly status: object;
  readonly old?: object;
  readonly verb?: string | undefined;
  readonly user?: Partial<UserInfo>;
  readonly isPart?: boolean;
  readonly reportsDevices?: boolean;
  readonly allows?: (info: AccessInfo) => boolean;
}

const questionOf = ({ verb, subresource, namespace, name }: AccessInfo) =>
  [verb, subresource, namespace, name].filter((part) => part !== "").join(" ");

async function problemsOf(write: Write) {
  const { status, old = {}, isPart = true, reportsDevices = true, allows = () => false } = write;
  const asked: string[] = [];
  const hooks = claimStatusHooks({
    authorizer: {
      authorize({ info }) {
        asked.push(questionOf(info));
        return { kind: allows(info) ? "allow" : "noOpinion", reason: "" };
      },
      rulesFor: () => ({ resourceRules: [], nonResourceRules: [], incomplete: false }),
    },
    group: "resource.example.com",
    domain: "example.com",
    reportsDevices,
  });
  const claim = (of: object): ResourceClaim => ({
    metadata: { name: "c" },
    spec: { devices: {} },
    status: of as ResourceClaimStatus, // built by the test
  });
  const user = { name: "jane", uid: "", groups: [], extra: {}, ...write.user };
  const verb = "verb" in write ? write.verb : "update";
  const context = { ...testWriteContext({ user }), verb, signal: new AbortController().signal, warn() {} };
  const errors = (await hooks.problems?.(context, claim(status), claim(old), isPart)) ?? [];
  return { errors: errors.map(({ field, body }) => `${field}: ${body}`), asked };
}

const agent = (node: string) => ({
  name: "system:serviceaccount:ns:driver",
  extra: { "authentication.example.com/node-name": [node] },
});
const told = { allocation: allocatedTo(["a"], onNode("n")), devices: [device("a")] };
const before = { allocation: told.allocation };

test.each<[string, Write, readonly string[]]>([
  ["an allocation", { status: before }, ["update binding"]],
  [
    "a reservation by a patch",
    {
      status: { ...before, reservedFor: [{ resource: "pods", name: "p", uid: "1" }] },
      old: before,
      verb: "patch",
    },
    ["patch binding"],
  ],
  ["nothing", { status: told, old: told }, []],
  ["the object itself", { status: before, isPart: false }, []],
  ["the server's own", { status: before, verb: undefined }, []],
  ["what a driver tells", { status: told, old: before }, ["arbitrary-node:update driver ns a.example.com"]],
  [
    "what a driver on the node tells",
    { status: told, old: before, user: agent("n") },
    ["associated-node:update driver ns a.example.com", "arbitrary-node:update driver ns a.example.com"],
  ],
  [
    "what a driver on another node tells",
    { status: told, old: before, user: agent("m") },
    ["arbitrary-node:update driver ns a.example.com"],
  ],
  [
    "what a user with the node of an account tells",
    { status: told, old: before, user: { ...agent("n"), name: "jane" } },
    ["arbitrary-node:update driver ns a.example.com"],
  ],
  [
    "what drivers tell no more, and anew",
    {
      status: { allocation: allocatedTo(["a", "b", "c"]), devices: [device("b", { x: 1 }), device("c")] },
      old: { allocation: allocatedTo(["a", "b", "c"]), devices: [device("a"), device("b"), device("c")] },
    },
    ["arbitrary-node:update driver ns a.example.com", "arbitrary-node:update driver ns b.example.com"],
  ],
  ["what goes with its allocation", { status: {}, old: told }, ["update binding"]],
  [
    "what goes with one of the devices",
    { status: { ...told, allocation: allocatedTo(["b"]) }, old: told },
    ["update binding", "arbitrary-node:update driver ns a.example.com"],
  ],
  ["devices, where drivers tell nothing", { status: told, old: before, reportsDevices: false }, []],
])("a write of %s needs a permission", async (_what, write, asked) => {
  expect((await problemsOf(write)).asked).toEqual(asked);
  const allowed = await problemsOf({ ...write, allows: () => true });
  expect(allowed.errors).toEqual([]);
});

test("a selector of more than one node names none", async () => {
  for (const selector of [
    onNode("n", [{ matchFields: [] }]),
    { nodeSelectorTerms: [{ matchExpressions: [{ key: "metadata.name", operator: "In", values: ["n"] }] }] },
    { nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: ["n", "m"] }] }] },
    { nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "NotIn", values: ["n"] }] }] },
    undefined,
  ]) {
    const allocation = allocatedTo(["a"], selector);
    const write = { status: { ...told, allocation }, old: { allocation }, user: agent("n") };
    expect((await problemsOf(write)).asked).toEqual(["arbitrary-node:update driver ns a.example.com"]);
  }
});

test("a refused user is told which permission is missing", async () => {
  const { errors } = await problemsOf({ status: told, user: agent("n") });
  const who = 'User "system:serviceaccount:ns:driver" cannot';
  expect(errors).toEqual([
    `status.allocation: Forbidden: changing status.allocation or status.reservedFor requires resource="resourceclaims/binding", verb="update" permission: resourceclaims.resource.example.com is forbidden: ${who} update resource "resourceclaims/binding" in API group "resource.example.com" at the cluster scope`,
    `status.devices: Forbidden: changing status.devices requires resource="resourceclaims/driver", verb="[associated-node:update arbitrary-node:update]" permission: resourceclaims.resource.example.com "a.example.com" is forbidden: ${who} associated-node:update resource "resourceclaims/driver" in API group "resource.example.com" in the namespace "ns"`,
  ]);
});

test("one of the two rights of a driver on its node is enough", async () => {
  const write = { status: told, old: before, user: agent("n") };
  for (const right of ["associated-node:update", "arbitrary-node:update"]) {
    expect((await problemsOf({ ...write, allows: ({ verb }) => verb === right })).errors).toEqual([]);
  }
});

import { expect, test } from "vitest";
import { type AccessInfo, resourceAccess } from "../../apimachinery/requests/authorizer.js";
import { abacAuthorizer } from "./abac-policy.js";

const group = "abac.authorization.example.io";
const signal = new AbortController().signal;

function isAllowed(line: object, who: string, info: AccessInfo): boolean {
  const [name = "", ...groups] = who.split(" ");
  const user = { name, uid: "", groups, extra: {} };
  const decision = abacAuthorizer(JSON.stringify(line), group).authorize({ user, info, signal });
  if (decision instanceof Promise) throw new Error("policies wait for nothing");
  return decision.kind === "allow";
}

const versioned = (spec: object) => ({ apiVersion: `${group}/v1beta1`, kind: "Policy", spec });
const resource = (verb: string, namespace: string, of: string, apiGroup = "") =>
  resourceAccess({ verb, namespace, resource: of, apiGroup });
const path = (asked: string, verb = "get"): AccessInfo => ({
  ...resourceAccess({ verb, resource: "" }),
  isResourceRequest: false,
  path: asked,
});
const everything = { namespace: "*", resource: "*", apiGroup: "*" };

test.each<[object, string, AccessInfo, boolean]>([
  [versioned({ user: "alice", ...everything }), "alice", resource("delete", "a", "pods", "x"), true],
  [versioned({ user: "alice", ...everything }), "bob", resource("get", "a", "pods"), false],
  [versioned({ user: "alice", ...everything }), "alice", path("/x"), false],
  [
    versioned({ user: "bob", namespace: "p", resource: "pods", apiGroup: "*", readonly: true }),
    "bob",
    resource("list", "p", "pods"),
    true,
  ],
  [
    versioned({ user: "bob", namespace: "p", resource: "pods", apiGroup: "*", readonly: true }),
    "bob",
    resource("create", "p", "pods"),
    false,
  ],
  [
    versioned({ user: "bob", namespace: "p", resource: "pods", apiGroup: "*" }),
    "bob",
    resource("list", "q", "pods"),
    false,
  ],
  [
    versioned({ user: "bob", namespace: "p", resource: "pods" }),
    "bob",
    resource("list", "p", "pods", "apps"),
    false,
  ],
  [versioned({ user: "bob", namespace: "p", resource: "pods" }), "bob", resource("list", "p", "pods"), true],
  [versioned({ group: "ops", ...everything }), "x ops", resource("get", "a", "pods"), true],
  [versioned({ group: "ops", ...everything }), "ops other", resource("get", "a", "pods"), false],
  [versioned({ user: "x", group: "ops", ...everything }), "x", resource("get", "a", "pods"), false],
  [versioned({ user: "x", group: "ops", ...everything }), "x ops", resource("get", "a", "pods"), true],
  [versioned({ user: "*", ...everything }), "x system:authenticated", resource("get", "a", "pods"), true],
  [versioned({ user: "*", ...everything }), "x system:unauthenticated", resource("get", "a", "pods"), false],
  [versioned({ ...everything }), "x system:authenticated", resource("get", "a", "pods"), false],
  [
    versioned({ group: "system:authenticated", nonResourcePath: "/version", readonly: true }),
    "x system:authenticated",
    path("/version"),
    true,
  ],
  [
    versioned({ group: "system:authenticated", nonResourcePath: "/version", readonly: true }),
    "x system:authenticated",
    path("/version", "post"),
    false,
  ],
  [versioned({ user: "x", nonResourcePath: "/logs/*" }), "x", path("/logs/a"), true],
  [versioned({ user: "x", nonResourcePath: "/logs/*" }), "x", path("/log"), false],
  [versioned({ user: "x", nonResourcePath: "*" }), "x", resource("get", "a", "pods"), false],
  [{ user: "alice" }, "alice", resource("delete", "a", "pods", "apps"), true],
  [{ user: "alice" }, "alice", path("/x"), true],
  [{ user: "alice", resource: "pods" }, "alice", path("/x"), false],
  [{ kind: "Policy", user: "alice" }, "alice", path("/x"), true],
  [{ kind: "Policy", user: "alice" }, "bob", path("/x"), false],
  [{ apiVersion: `${group}/v0`, kind: "Policy", user: "alice" }, "alice", path("/x"), true],
  [{ apiVersion: `${group}/v0`, user: "alice", resource: "pods" }, "alice", path("/x"), false],
  [{ resource: "pods", readonly: true }, "x system:authenticated", resource("get", "a", "pods"), true],
  [{ resource: "pods", readonly: true }, "x", resource("get", "a", "pods"), false],
])("%j lets %s do %j: %s", (line, who, info, allowed) => {
  expect(isAllowed(line, who, info)).toBe(allowed);
});

test("a file has comments and blank lines; a bad line is named by its number", () => {
  const good = JSON.stringify({ user: "alice" });
  expect(() => abacAuthorizer(`# first\n\n  ${good}\n`, group)).not.toThrow();
  for (const [bad, problem] of [
    ["{", "line 3: "],
    ["[]", "line 3: want a JSON object"],
    ['{"user":1}', "line 3: user must be a string"],
    ['{"readonly":"yes"}', "line 3: readonly must be a boolean"],
    [
      '{"apiVersion":"x/v1","kind":"Policy","spec":{}}',
      `line 3: want kind Policy of apiVersion ${group}/v1beta1`,
    ],
    ['{"apiVersion":"v0","kind":"Policy"}', `line 3: want kind Policy of apiVersion ${group}/v1beta1`],
    ['{"kind":"Role","user":"x"}', `line 3: want kind Policy of apiVersion ${group}/v1beta1`],
    [`{"apiVersion":"${group}/v1beta1","spec":{}}`, "line 3: want kind Policy"],
    [`{"apiVersion":"${group}/v1beta1","kind":"Policy"}`, "line 3: want a spec"],
  ] as const) {
    expect(() => abacAuthorizer(`# first\n${good}\n${bad}`, group)).toThrow(problem);
  }
});

test("rules are listed by namespace", async () => {
  const lines = [
    { user: "x", namespace: "a", resource: "pods", readonly: true },
    { user: "x", namespace: "b", resource: "secrets" },
    { user: "y", namespace: "a", resource: "nodes" },
  ];
  const file = abacAuthorizer(lines.map((line) => JSON.stringify(line)).join("\n"), group);
  expect(await file.rulesFor({ name: "x", uid: "", groups: [], extra: {} }, "a")).toEqual({
    resourceRules: [{ verbs: ["get", "list", "watch"], apiGroups: ["*"], resources: ["pods"] }],
    nonResourceRules: [],
    incomplete: false,
  });
});

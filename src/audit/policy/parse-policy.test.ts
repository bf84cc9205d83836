import { expect, test } from "vitest";
import { parsePolicy } from "./parse-policy.js";

const group = "audit.orch.io";

function parse(rules: string, head = "apiVersion: audit.orch.io/v1\nkind: Policy\n") {
  return parsePolicy(Buffer.from(`${head}${rules}`), group, "1.23");
}

test.each(["v1", "v1beta1", "v1alpha1"])("a policy of version %s is read whole", async (version) => {
  const { policy, unknownFields } = await parse(
    `omitStages: [RequestReceived]
omitManagedFields: true
rules:
- level: Request
  users: [jane]
  userGroups: [admins]
  verbs: [create]
  resources: [{group: apps, resources: [deployments/scale], resourceNames: [web]}]
  namespaces: [default]
  omitStages: [Panic]
  omitManagedFields: false
- level: None
  nonResourceURLs: ["/livez*"]
`,
    `apiVersion: audit.orch.io/${version}\nkind: Policy\n`,
  );
  expect(policy).toEqual({
    omitStages: ["RequestReceived"],
    omitManagedFields: true,
    rules: [
      {
        level: "Request",
        users: ["jane"],
        userGroups: ["admins"],
        verbs: ["create"],
        resources: [{ group: "apps", resources: ["deployments/scale"], resourceNames: ["web"] }],
        namespaces: ["default"],
        nonResourceURLs: [],
        omitStages: ["Panic"],
        omitManagedFields: false,
      },
      {
        level: "None",
        users: [],
        userGroups: [],
        verbs: [],
        resources: [],
        namespaces: [],
        nonResourceURLs: ["/livez*"],
        omitStages: [],
        omitManagedFields: undefined,
      },
    ],
  });
  expect(unknownFields).toEqual([]);
});

test("JSON is read too, and unknown fields are told", async () => {
  const { unknownFields } = await parse(
    '{"apiVersion":"audit.orch.io/v1","kind":"Policy","rules":[{"level":"None","verb":["get"],"resources":[{"name":"a"}]}],"x":1}',
    "",
  );
  expect(unknownFields).toEqual(["x", "rules[0].verb", "rules[0].resources[0].name"]);
});

test.each([
  ["rules: []", "loaded illegal policy with 0 rules"],
  ["rules: [{}]", "rules[0].level: Required value"],
  [
    "rules: [{level: metadata}]",
    'rules[0].level: Unsupported value: "metadata": supported values: "None", "Metadata", "Request", "RequestResponse"',
  ],
  ["rules: [{level: [None]}]", "rules[0].level: must be a string"],
  ["rules: {level: None}", "rules: must be a list"],
  ["rules: [{level: None, users: [1]}]", "rules[0].users[0]: must be a string"],
  ["rules: [{level: None, omitManagedFields: 1}]", "rules[0].omitManagedFields: must be true or false"],
  [
    "rules: [{level: None, nonResourceURLs: [livez]}]",
    "rules[0].nonResourceURLs[0]: Invalid value: \"livez\": non-resource URL rules must begin with a '/' character",
  ],
  [
    'rules: [{level: None, nonResourceURLs: ["/a*b"]}]',
    "rules[0].nonResourceURLs[0]: Invalid value: \"/a*b\": non-resource URL wildcards '*' must be the final character of the rule",
  ],
  [
    "rules: [{level: None, nonResourceURLs: [/a], namespaces: [b]}]",
    "rules cannot apply to both regular resources and non-resource URLs",
  ],
  ["rules: [{level: None, resources: [{group: apps/v1}]}]", "rules[0].resources.group: Invalid value"],
  [
    "rules: [{level: None, resources: [{resourceNames: [a]}]}]",
    "using resourceNames requires at least one resource",
  ],
  [
    "omitStages: [Received]\nrules: [{level: None}]",
    'omitStages[0]: Invalid value: "Received": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic',
  ],
])("%s is refused", async (rules, message) => {
  await expect(parse(rules)).rejects.toThrow(message);
});

test.each([
  "apiVersion: v1\nkind: Policy\n",
  "apiVersion: audit.orch.io/v2\nkind: Policy\n",
  "kind: Policy\n",
])("another type is refused: %s", async (head) => {
  await expect(parse("rules: [{level: None}]", head)).rejects.toThrow("must be audit.orch.io/v1 and Policy");
});

test("since 1.24 policies have the version v1", async () => {
  const head = "apiVersion: audit.orch.io/v1beta1\nkind: Policy\nrules: [{level: None}]\n";
  await expect(parsePolicy(Buffer.from(head), group, "1.23")).resolves.toBeDefined();
  await expect(parsePolicy(Buffer.from(head), group, "1.24")).rejects.toThrow(/audit.orch.io\/v1beta1/);
});

test("since 1.36 a rule may name all groups", async () => {
  const text =
    'apiVersion: audit.orch.io/v1\nkind: Policy\nrules: [{level: None, resources: [{group: "*"}]}]\n';
  await expect(parsePolicy(Buffer.from(text), group, "1.35")).rejects.toThrow(/group: Invalid value: "\*"/);
  await expect(parsePolicy(Buffer.from(text), group, "1.36")).resolves.toBeDefined();
});

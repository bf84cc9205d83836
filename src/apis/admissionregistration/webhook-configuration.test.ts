import { describe, expect, test } from "vitest";
import { withErrorTextsOf } from "../../apimachinery/errors/error-texts.js";
import { testApiContext } from "../testing/api-context.js";
import { changed, kindUnderTest } from "../testing/kind-under-test.js";
import { admissionregistrationResources } from "./resources.js";

const [mutatingDefinition, validatingDefinition] = admissionregistrationResources(testApiContext());
if (mutatingDefinition === undefined || validatingDefinition === undefined)
  throw new Error("two kinds are expected");
const mutating = kindUnderTest(mutatingDefinition);
const validating = kindUnderTest(validatingDefinition);

const webhook = {
  name: "check.example.com",
  clientConfig: { service: { namespace: "ns", name: "svc", path: "/check" } },
  rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] }],
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
};
const json = { metadata: { name: "w" }, webhooks: [webhook] };

test("defaults of both kinds; only mutating webhooks may be called again", () => {
  const defaults = {
    failurePolicy: "Fail",
    matchPolicy: "Equivalent",
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: 10,
    clientConfig: { service: { port: 443 } },
    rules: [{ scope: "*" }],
  };
  expect(validating.decode(json)).toMatchObject({ webhooks: [defaults] });
  expect(validating.decode(json)).not.toHaveProperty("webhooks.0.reinvocationPolicy");
  expect(mutating.decode(json)).toMatchObject({ webhooks: [{ ...defaults, reinvocationPolicy: "Never" }] });
  expect(validating.cells(json)).toEqual(["w", 1, "<unknown>"]);
});

describe.each([
  ["mutating", mutating],
  ["validating", validating],
])("%s webhooks", (_name, kind) => {
  test.each([
    ["name", "check.example.com", []],
    ["name", "", ["webhooks[0].name: Required value"]],
    [
      "name",
      "check",
      [
        'webhooks[0].name: Invalid value: "check": should be a domain with at least three segments separated by dots',
      ],
    ],
    [
      "failurePolicy",
      "Shrug",
      ['webhooks[0].failurePolicy: Unsupported value: "Shrug": supported values: "Fail", "Ignore"'],
    ],
    [
      "matchPolicy",
      "Near",
      ['webhooks[0].matchPolicy: Unsupported value: "Near": supported values: "Equivalent", "Exact"'],
    ],
    [
      "sideEffects",
      undefined,
      ["webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun"],
    ],
    [
      "sideEffects",
      "Some",
      ['webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"'],
    ],
    [
      "timeoutSeconds",
      31,
      ["webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds"],
    ],
    [
      "admissionReviewVersions",
      [],
      ["webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1"],
    ],
    [
      "admissionReviewVersions",
      ["v9", "v9"],
      [
        'webhooks[0].admissionReviewVersions[1]: Invalid value: "v9": duplicate version',
        'webhooks[0].admissionReviewVersions: Invalid value: []string{"v9", "v9"}: must include at least one of v1, v1beta1',
      ],
    ],
    [
      "clientConfig",
      {},
      ["webhooks[0].clientConfig: Required value: exactly one of url or service is required"],
    ],
    [
      "clientConfig.service.port",
      0,
      [
        "webhooks[0].clientConfig.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive",
      ],
    ],
    // As in Kubernetes, the two names are reported for each other.
    [
      "clientConfig.service.name",
      "",
      ["webhooks[0].clientConfig.service.namespace: Required value: service namespace is required"],
    ],
    [
      "clientConfig.service.path",
      "/a//B",
      [
        'webhooks[0].clientConfig.service.path: Invalid value: "/a//B": segment[1] may not be empty',
        expect.stringMatching(
          /^webhooks\[0\]\.clientConfig\.service\.path: Invalid value: "\/a\/\/B": segment\[2\]: a lowercase RFC 1123 subdomain/,
        ),
      ],
    ],
    [
      "clientConfig.service.path",
      "a",
      [
        "webhooks[0].clientConfig.service.path: Invalid value: \"a\": must start with a '/'",
        'webhooks[0].clientConfig.service.path: Invalid value: "a": segment[0] may not be empty',
      ],
    ],
    ["clientConfig.service.path", "/a".repeat(100), []],
    [
      "clientConfig.service.path",
      "/a".repeat(101),
      [
        expect.stringMatching(
          /^webhooks\[0\]\.clientConfig\.service\.path: .*: must not have more than 100 segments$/,
        ),
      ],
    ],
    [
      "rules.0.operations",
      ["FLY"],
      [
        'webhooks[0].rules[0].operations[0]: Unsupported value: "FLY": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
      ],
    ],
    [
      "rules.0.operations",
      ["*", "CREATE"],
      [
        `webhooks[0].rules[0].operations: Invalid value: []admissionregistration.OperationType{"*", "CREATE"}: if '*' is present, must not specify other operations`,
      ],
    ],
    ["rules.0.apiGroups", [], ["webhooks[0].rules[0].apiGroups: Required value"]],
    [
      "rules.0.apiVersions",
      ["*", "v1"],
      [
        `webhooks[0].rules[0].apiVersions: Invalid value: []string{"*", "v1"}: if '*' is present, must not specify other API versions`,
      ],
    ],
    [
      "rules.0.scope",
      "Galaxy",
      [
        'webhooks[0].rules[0].scope: Unsupported value: "Galaxy": supported values: "*", "Cluster", "Namespaced"',
      ],
    ],
    [
      "rules.0.resources",
      ["*/*", "pods"],
      [
        `webhooks[0].rules[0].resources: Invalid value: []string{"*/*", "pods"}: if '*/*' is present, must not specify other resources`,
      ],
    ],
    [
      "rules.0.resources",
      ["*", "pods"],
      [
        `webhooks[0].rules[0].resources: Invalid value: []string{"*", "pods"}: if '*' is present, must not specify other resources without subresources`,
      ],
    ],
    [
      "rules.0.resources",
      ["pods/*", "pods/log"],
      [
        `webhooks[0].rules[0].resources[1]: Invalid value: "pods/log": if 'pods/*' is present, must not specify pods/log`,
      ],
    ],
    [
      "rules.0.resources",
      ["*/scale", "pods/scale"],
      [
        `webhooks[0].rules[0].resources[1]: Invalid value: "pods/scale": if '*/scale' is present, must not specify pods/scale`,
      ],
    ],
    ["rules.0.resources", ["*", "*/scale"], []],
    ["rules.0.resources", [""], ["webhooks[0].rules[0].resources[0]: Required value"]],
  ])("with %s = %j", (path, value, errors) => {
    expect(kind.create(changed(json, `webhooks.0.${path}`, value)).errors).toEqual(errors);
  });

  test.each([
    ["https://example.com/hook", []],
    ["https://[::1]:8443", []],
    [
      "http://example.com",
      [
        `: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`,
      ],
    ],
    ["https:///x", [': Invalid value: "": host must be provided; desired format: https://host[/path]']],
    ["https://u:p@example.com", [': Invalid value: "u:p": user information is not permitted in the URL']],
    ["https://example.com#f", [': Invalid value: "f": fragments are not permitted in the URL']],
    ["https://example.com?q=1", [': Invalid value: "q=1": query parameters are not permitted in the URL']],
    [
      ":x",
      [
        ': Required value: url must be a valid URL: parse ":x": missing protocol scheme; desired format: https://host[/path]',
      ],
    ],
    [
      "https://example.com:x",
      [
        ': Required value: url must be a valid URL: parse "https://example.com:x": invalid port ":x" after host; desired format: https://host[/path]',
      ],
    ],
    [
      "https://example.com/%zz",
      [
        ': Required value: url must be a valid URL: parse "https://example.com/%zz": invalid URL escape "%zz"; desired format: https://host[/path]',
      ],
    ],
  ])("at %s", (url, errors) => {
    const expected = errors.map((text) => `webhooks[0].clientConfig.url${text}`);
    expect(kind.create(changed(json, "webhooks.0.clientConfig", { url })).errors).toEqual(expected);
  });

  test("have a name each", () => {
    expect(kind.create({ ...json, webhooks: [webhook, webhook] }).errors).toEqual([
      'webhooks[1].name: Duplicate value: "check.example.com"',
    ]);
  });

  test("that broke rules before the rules were made may go on", () => {
    const old = {
      ...json,
      webhooks: [
        { ...webhook, sideEffects: "Some", admissionReviewVersions: ["v9"] },
        { ...webhook, sideEffects: "Some" },
      ],
    };
    expect(kind.create(old).errors).toHaveLength(4);
    expect(kind.update(old, old).errors).toEqual([]);
    expect(kind.update(old, json).errors).toHaveLength(4);
  });

  test("are counted when they change", () => {
    expect(kind.create(json).object.metadata.generation).toBe(1);
    expect(
      kind.update(changed(json, "metadata.labels", { a: "b" }), json).object.metadata.generation,
    ).toBeUndefined();
    expect(kind.update(changed(json, "webhooks", []), json).object.metadata.generation).toBe(1);
  });
});

test("operations are shown as JSON since 1.34", () => {
  const both = changed(json, "webhooks.0.rules.0.operations", ["*", "CREATE"]);
  expect(withErrorTextsOf(34, () => validating.create(both).errors)).toEqual([
    `webhooks[0].rules[0].operations: Invalid value: ["*","CREATE"]: if '*' is present, must not specify other operations`,
  ]);
});

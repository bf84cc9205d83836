import { expect, test } from "vitest";
import { type FieldError, FieldPath, findErrors, invalid } from "../apimachinery/errors/field-error.js";
import type { JsonObject } from "../apimachinery/json/json-value.js";
import { type ApiLevel, minorOf } from "../apimachinery/levels/api-level.js";
import type { ApiObject } from "../apimachinery/objects/meta.js";
import { isDns1123Label } from "../apimachinery/validation/dns-names.js";
import { isQualifiedName } from "../apimachinery/validation/qualified-name.js";
import { validateBindingBasis } from "./admissionregistration/policies/binding-validation.js";
import { customResourceDefinitions } from "./apiextensions/custom-resource-definition/resource.js";
import { certificateSigningRequests } from "./certificates/certificate-signing-request/resource.js";
import { validateWebhookService, validateWebhookUrl } from "./checks/webhook-client.js";
import { persistentVolumes } from "./core/persistent-volume/resource.js";
import { volumeTypeWarnings } from "./core/pod-spec/volume-type-warnings.js";
import type { ResourceDefinition } from "./definition/resource-definition.js";
import { coreEvents, groupEvents } from "./events/event/resource.js";
import { ingresses } from "./networking/ingress/resource.js";
import { networkPolicies } from "./networking/network-policy/resource.js";
import { validateObjectReference } from "./networking/object-reference.js";
import { priorityClasses } from "./scheduling/priority-class/resource.js";
import { testApiContext, testWriteContext } from "./testing/api-context.js";
import { errorTexts, kindUnderTest } from "./testing/kind-under-test.js";

const path = FieldPath.of("a");
const write = testWriteContext();

test.each<[string, () => FieldError[], Partial<Record<ApiLevel, string>>]>([
  [
    "the host of a webhook",
    () => validateWebhookUrl(path, "https://"),
    {
      "1.25": 'a: Invalid value: "": host must be provided; desired format: https://host[/path]',
      "1.26": 'a: Invalid value: "": host must be specified; desired format: https://host[/path]',
      "1.36": 'a: Invalid value: "": host must be specified; desired format: https://host[/path]',
    },
  ],
  [
    "the service of a webhook",
    () => validateWebhookService(path, { namespace: "n", name: "", port: 1 }),
    {
      "1.33": "a.namespace: Required value: service namespace is required",
      "1.34": "a.namespace: Required value",
      "1.36": "a.namespace: Required value",
    },
  ],
  [
    "what a backend or a class refers to",
    () => validateObjectReference({ kind: "", name: "n" }, path),
    {
      "1.33": "a.kind: Required value: kind is required",
      "1.34": "a.kind: Required value",
      "1.36": "a.kind: Required value",
    },
  ],
  [
    "the resources of a binding",
    () => validateBindingBasis({ policyName: "p", matchResources: {} }, path, "1.36"),
    {
      "1.31": "a.matchResouces.matchPolicy: Required value",
      "1.32": "a.matchResources.matchPolicy: Required value",
      "1.36": "a.matchResources.matchPolicy: Required value",
    },
  ],
  [
    "a label with dots",
    () => isDns1123Label("a.b").map((problem) => invalid(path, "a.b", problem)),
    {
      "1.26": expect.stringContaining("a lowercase RFC 1123 label must consist of"),
      "1.27": 'a: Invalid value: "a.b": must not contain dots',
      "1.36": 'a: Invalid value: "a.b": must not contain dots',
    },
  ],
  [
    "the prefix of a key",
    () => isQualifiedName(`${"x".repeat(254)}/a`).map((problem) => invalid(path, "", problem)),
    {
      "1.34": 'a: Invalid value: "": prefix part must be no more than 253 characters',
      "1.35": 'a: Invalid value: "": prefix part must be no more than 253 bytes',
      "1.36": 'a: Invalid value: "": prefix part must be no more than 253 bytes',
    },
  ],
])("errors about %s have the words of the level", (_what, validate, expected) => {
  const words = Object.keys(expected).map((level) => {
    const { errors } = findErrors(validate, Number(level.slice(2)));
    return [level, errorTexts(errors)[0]];
  });
  expect(Object.fromEntries(words)).toEqual(expected);
});

/** What is wrong with a new object, in the words of the level. */
function errorsOf<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  level: ApiLevel,
  json: JsonObject,
): string[] {
  const object = kindUnderTest(definition).decode(json);
  const { errors } = findErrors(() => definition.strategy.validate(write, object), minorOf(level));
  return errorTexts(errors);
}

test("a URL that cannot be read is quoted as Go quotes texts", () => {
  expect(errorTexts(validateWebhookUrl(path, "a\u0000"))).toEqual([
    'a: Required value: url must be a valid URL: parse "a\\x00": net/url: invalid control character in URL; desired format: https://host[/path]',
  ]);
});

test.each<[ApiLevel, string]>([
  ["1.25", "spec.usages: Required value: usages must be provided"],
  ["1.26", "spec.usages: Required value"],
])("at %s, a certificate request without usages is told: %s", (level, error) => {
  const definition = certificateSigningRequests(testApiContext({ level }));
  const json = { metadata: { name: "a" }, spec: { signerName: "a.b/c" } };
  expect(errorsOf(definition, level, json)).toContain(error);
});

test.each<[ApiLevel, string]>([
  ["1.33", "[]string(nil)"],
  ["1.34", "null"],
])("at %s, a definition without stored versions has %s of them", (level, value) => {
  const definition = customResourceDefinitions(testApiContext({ level }));
  const json = { metadata: { name: "a.b" }, spec: { group: "b", versions: [] } };
  expect(errorsOf(definition, level, json)).toContain(
    `status.storedVersions: Invalid value: ${value}: must have at least one stored version`,
  );
});

test.each<[ApiLevel, string]>([
  ["1.24", "Value"],
  ["1.25", "value"],
])("at %s, the value of a priority that changes is called %s", (level, name) => {
  const definition = priorityClasses(testApiContext({ level }));
  const classOf = (value: number) => kindUnderTest(definition).decode({ value });
  const [old, object] = [classOf(1), classOf(2)];
  const { errors } = findErrors(() => definition.strategy.validateUpdate(write, object, old), minorOf(level));
  expect(errorTexts(errors)).toContain(`${name}: Forbidden: may not be changed in an update.`);
});

test.each<[ApiLevel, string, string]>([
  [
    "1.26",
    "deprecated in v1.22, support removal is planned in v1.26",
    "deprecated in v1.25, this feature will be removed soon after in a subsequent release",
  ],
  ["1.27", "deprecated in v1.22, non-functional in v1.25+", "deprecated in v1.25, non-functional in v1.26+"],
])(
  "at %s, volumes whose plugins are gone are warned of in the words of the level",
  (level, quobyte, glusterfs) => {
    const path = FieldPath.of("spec", "volumes");
    const volumes = [
      { name: "q", quobyte: { registry: "r", volume: "v" } },
      { name: "g", glusterfs: { endpoints: "e", path: "p" } },
    ];
    expect(volumeTypeWarnings({ volumes, containers: [] }, path, level)).toEqual([
      `spec.volumes[0].quobyte: ${quobyte}`,
      `spec.volumes[1].glusterfs: ${glusterfs}`,
    ]);
  },
);

test("a warning of volumes names StorageOS as Kubernetes does", () => {
  const definition = persistentVolumes(testApiContext({ level: "1.35" }));
  const object = kindUnderTest(definition).decode({ spec: { storageos: {} } });
  expect(definition.strategy.warningsOnCreate?.(write, object)).toEqual([
    "spec.storageOS: deprecated in v1.22, non-functional in v1.25+",
  ]);
});

test("errors name the group with which a type was registered first", () => {
  const groups = (level: ApiLevel) => {
    const context = testApiContext({ level });
    return [ingresses, networkPolicies, groupEvents].map((make) => make(context).invalidKind?.group);
  };
  expect(groups("1.25")).toEqual(["extensions", "extensions", ""]);
  expect(groups("1.26")).toEqual([undefined, undefined, ""]);
  expect(groups("1.36")).toEqual([undefined, undefined, ""]);
});

test("since 1.25, errors about events of the core group name its own field", () => {
  const event = {
    metadata: { name: "e", namespace: "default" },
    involvedObject: {},
    eventTime: "2026-01-02T03:04:05.000000Z",
    action: "a",
    reason: "r",
    reportingInstance: "i",
  };
  const fieldAt = (level: ApiLevel) => {
    const { create } = kindUnderTest(coreEvents(testApiContext({ level })), level);
    return create(event).errors[0]?.split(":")[0];
  };
  expect((["1.24", "1.25", "1.36"] as const).map(fieldAt)).toEqual([
    "reportingController",
    "reportingComponent",
    "reportingComponent",
  ]);
});

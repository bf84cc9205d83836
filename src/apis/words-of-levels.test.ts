import { expect, test } from "vitest";
import { type FieldError, FieldPath, findErrors } from "../apimachinery/errors/field-error.js";
import type { ApiLevel } from "../apimachinery/levels/api-level.js";
import { validateBindingBasis } from "./admissionregistration/policies/binding-validation.js";
import { validateWebhookService, validateWebhookUrl } from "./checks/webhook-client.js";
import { coreEvents, groupEvents } from "./events/event/resource.js";
import { ingresses } from "./networking/ingress/resource.js";
import { networkPolicies } from "./networking/network-policy/resource.js";
import { validateObjectReference } from "./networking/object-reference.js";
import { testApiContext } from "./testing/api-context.js";
import { errorTexts, kindUnderTest } from "./testing/kind-under-test.js";

const path = FieldPath.of("a");

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
    () => validateBindingBasis({ policyName: "p", matchResources: {} }, path),
    {
      "1.31": "a.matchResouces.matchPolicy: Required value",
      "1.32": "a.matchResources.matchPolicy: Required value",
      "1.36": "a.matchResources.matchPolicy: Required value",
    },
  ],
])("errors about %s have the words of the level", (_what, validate, expected) => {
  const words = Object.keys(expected).map((level) => {
    const { errors } = findErrors(validate, Number(level.slice(2)));
    return [level, errorTexts(errors)[0]];
  });
  expect(Object.fromEntries(words)).toEqual(expected);
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

import { expect, test } from "vitest";
import { createNaming } from "../../naming/naming.js";
import { tracingConfiguration } from "./tracing-configuration.js";

const naming = createNaming("orch");

test("the version v1 is read since 1.34", () => {
  const document = { apiVersion: "apiserver.config.orch.io/v1", kind: "TracingConfiguration" };
  expect(() => tracingConfiguration(document, naming, "1.33")).toThrow(/apiserver.config.orch.io\/v1/);
  expect(tracingConfiguration(document, naming, "1.34").samplingRatio).toBe(0);
});

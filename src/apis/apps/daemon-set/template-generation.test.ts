import { expect, test } from "vitest";
import { testApiContext } from "../../testing/api-context.js";
import { kindUnderTest } from "../../testing/kind-under-test.js";
import { daemonSets } from "./resource.js";
import { templateGenerationAnnotation } from "./template-generation.js";

const { decode } = kindUnderTest(daemonSets(testApiContext({ level: "1.28" })));

test.each([
  ["", "invalid syntax"],
  ["x", "invalid syntax"],
  ["9223372036854775808", "value out of range"],
  ["-9223372036854775809", "value out of range"],
])("a generation %j of the template is refused", (text, why) => {
  expect(() => decode({ metadata: { annotations: { [templateGenerationAnnotation]: text } } })).toThrow(
    `strconv.ParseInt: parsing ${JSON.stringify(text)}: ${why}`,
  );
});

test.each(["0", "+5", "-1", "9223372036854775807"])("a generation %j of the template is one", (text) => {
  expect(() => decode({ metadata: { annotations: { [templateGenerationAnnotation]: text } } })).not.toThrow();
});

import { expect, test } from "vitest";
import { testApiContext } from "../../testing/api-context.js";
import { kindGround } from "../../testing/kind-ground.js";
import { componentStatuses } from "./resource.js";

const ground = kindGround(componentStatuses(testApiContext()));

test.each([
  [[], ["Unknown", "", ""]],
  [[{ type: "Other", status: "True" }], ["Unknown", "", ""]],
  [[{ type: "Healthy", status: "True", message: "ok" }], ["Healthy", "ok", ""]],
  [[{ type: "Healthy", status: "False", error: "refused" }], ["Unhealthy", "", "refused"]],
])("conditions %j are shown as %j", (conditions, [status, message, error]) => {
  const cells = ground.cells({ metadata: { name: "a" }, conditions });
  expect(cells).toEqual({ Name: "a", Status: status, Message: message, Error: error });
});

import { expect, test } from "vitest";
import { builtinResources } from "../../apis/builtin-resources.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import { createStoredObject } from "../../storage/stored-object.js";
import { createResourceCodec } from "./resource-codec.js";
import { createVersionedView } from "./versioned-view.js";

const autoscalers = builtinResources(testApiContext()).find(
  ({ resource }) => resource === "horizontalpodautoscalers",
);
if (autoscalers === undefined) throw new Error("no autoscalers");

function storedAutoscaler() {
  if (autoscalers === undefined) throw new Error("no autoscalers");
  const codec = createResourceCodec(autoscalers, "protobuf");
  const body = {
    metadata: { name: "a", annotations: { boat: "é🚤" } },
    spec: { scaleTargetRef: { kind: "Deployment", name: "a" }, maxReplicas: 3 },
  };
  const object = codec.fromBody(Buffer.from(JSON.stringify(body).slice(1)));
  return createStoredObject(codec, "default/a", object, undefined);
}

test.each(autoscalers.versions)("the body in $version is made once", (version) => {
  const view = createVersionedView(autoscalers, version);
  const stored = storedAutoscaler();
  const body = view.body(stored);
  expect(view.body(stored)).toBe(body);
  expect(body === stored.body).toBe(view.version.conversion.hub);
  expect(body.toString()).toContain('"annotations":{"boat":"é🚤"}');
});

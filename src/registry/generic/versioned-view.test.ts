import { expect, test } from "vitest";
import { builtinResources } from "../../apis/builtin-resources.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import { encodeStoredObject } from "../../storage/stored-object.js";
import { createResourceCodec } from "./resource-codec.js";
import { createVersionedView } from "./versioned-view.js";

const autoscalers = builtinResources(testApiContext()).find(
  ({ resource }) => resource === "horizontalpodautoscalers",
);
if (autoscalers === undefined) throw new Error("no autoscalers");

/** A large object as it is stored. */
async function storedAutoscaler() {
  if (autoscalers === undefined) throw new Error("no autoscalers");
  const codec = createResourceCodec(autoscalers, "protobuf");
  const annotations = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, i) => [`a${i}`, "é🚤".repeat(20)]),
  );
  const body = {
    metadata: { name: "large", annotations },
    spec: { scaleTargetRef: { kind: "Deployment", name: "a" }, maxReplicas: 3 },
  };
  const object = codec.fromBody(Buffer.from(JSON.stringify(body).slice(1)));
  return await encodeStoredObject(codec, "default/large", object, undefined, undefined);
}

test.each(autoscalers.versions)("a body in turns is the same in $version", async (version) => {
  const view = createVersionedView(autoscalers, version);
  expect(view.bodyInTurns === undefined).toBe(version.conversion.hub);
  const [first, second] = [await storedAutoscaler(), await storedAutoscaler()];
  let turns = 0;
  const takeTurn = () => {
    turns++;
    return Promise.resolve();
  };
  const body = await view.bodyInTurns?.(first, takeTurn);
  if (body === undefined) return;
  expect(turns).toBeGreaterThan(1);
  expect(body).toEqual(view.body(second));
  // Made once.
  expect(view.body(first)).toBe(body);
  expect(await view.bodyInTurns?.(second, takeTurn)).toBe(view.body(second));
});

import { expect, test } from "vitest";
import { noObserver } from "../testing/plugin-ground.js";
import type { AdmissionAttributes } from "./admission-attributes.js";
import { createAdmissionChain } from "./admission-chain.js";
import type { AdmissionPlugin } from "./admission-plugin.js";
import { Reinvocation } from "./reinvocation.js";

/** Attributes with what a chain uses. */
function attributesOf(operation: AdmissionAttributes["operation"]): AdmissionAttributes {
  return { operation, reinvocation: new Reinvocation() } as unknown as AdmissionAttributes;
}

/** Plugins that record their calls. */
function ground(...plugins: readonly (AdmissionPlugin & { name: string })[]) {
  return createAdmissionChain(
    plugins.map((plugin) => ({ name: plugin.name, plugin })),
    noObserver,
  );
}

test("plugins run in order, for the operations that they name", async () => {
  const calls: string[] = [];
  const noting = (name: string, operations: AdmissionPlugin["operations"]) => ({
    name,
    operations,
    mutate: async () => void calls.push(`mutate ${name}`),
    validate: () => void calls.push(`validate ${name}`),
  });
  const chain = ground(
    noting("a", ["CREATE", "DELETE"]),
    noting("b", ["DELETE"]),
    noting("c", ["CREATE", "UPDATE"]),
  );
  await chain.mutate(attributesOf("CREATE"));
  await chain.validate(attributesOf("CREATE"));
  expect(calls).toEqual(["mutate a", "mutate c", "validate a", "validate c"]);
  calls.length = 0;
  await chain.mutate(attributesOf("DELETE"));
  await chain.validate(attributesOf("UPDATE"));
  expect(calls).toEqual(["mutate a", "mutate b", "validate c"]);
});

test("the first refusal ends it, whether it comes at once or later", async () => {
  const calls: string[] = [];
  const chain = ground(
    {
      name: "a",
      operations: ["CREATE"],
      mutate: async () => {
        throw new Error("later");
      },
      validate: () => {
        throw new Error("at once");
      },
    },
    { name: "b", operations: ["CREATE"], mutate: () => void calls.push("b") },
  );
  await expect(chain.mutate(attributesOf("CREATE"))).rejects.toThrow("later");
  expect(() => chain.validate(attributesOf("CREATE"))).toThrow("at once");
  expect(calls).toEqual([]);
});

test("a plugin that asks for it has all mutating plugins run once more", async () => {
  const calls: string[] = [];
  const noting = (name: string) => ({
    name,
    operations: ["CREATE"] as const,
    mutate: ({ reinvocation }: AdmissionAttributes) =>
      void calls.push(`${name}${reinvocation.isReinvoke ? " again" : ""}`),
  });
  const chain = ground(noting("a"), {
    name: "b",
    operations: ["CREATE"],
    mutate({ reinvocation }) {
      calls.push(reinvocation.isReinvoke ? "b again" : "b");
      reinvocation.request();
    },
  });
  await chain.mutate(attributesOf("CREATE"));
  expect(calls).toEqual(["a", "b", "a again", "b again"]);
});

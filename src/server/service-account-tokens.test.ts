import { expect, test } from "vitest";
import { notFound } from "../apimachinery/status.js";
import type { ResourceRegistry } from "../registry/generic/resource-registry.js";
import { tokenObjectLookup } from "./service-account-tokens.js";

test("an account that another server has just made is found in the store", async () => {
  const looks: string[] = [];
  const account = { metadata: { name: "a", namespace: "n", uid: "u" } };
  const get = async (_namespace: string, name: string, at: { kind: string }) => {
    looks.push(at.kind);
    if (name !== "a" || at.kind === "any") throw notFound({ group: "", resource: "serviceaccounts" }, name);
    return { decode: () => account };
  };
  // What the lookup uses of a registry.
  const lookup = tokenObjectLookup(() => ({ get }) as unknown as ResourceRegistry);
  expect(await lookup.serviceAccount("n", "a")).toMatchObject({ uid: "u" });
  expect(looks).toEqual(["any", "mostRecent"]);
  expect(await lookup.serviceAccount("n", "b")).toBeUndefined();
});

import { expect, test } from "vitest";
import { tokenObjectLookup } from "./service-account-tokens.js";

test("an account that another server has just made is found in the store", async () => {
  const looks: string[] = [];
  const account = { metadata: { name: "a", namespace: "n", uid: "u" } };
  const find = async (_namespace: string, name: string, at: { kind: string }) => {
    looks.push(at.kind);
    return name === "a" && at.kind !== "any" ? { decode: () => account } : undefined;
  };
  // What the lookup uses of a registry.
  const lookup = tokenObjectLookup(() => ({ find }) as never);
  expect(await lookup.serviceAccount("n", "a")).toMatchObject({ uid: "u" });
  expect(looks).toEqual(["any", "mostRecent"]);
  expect(await lookup.serviceAccount("n", "b")).toBeUndefined();
});

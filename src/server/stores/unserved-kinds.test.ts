import { expect, test } from "vitest";
import { resourcesOfLevel } from "../../apis/builtin-resources.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import { warnOfUnservedKinds } from "./unserved-kinds.js";

async function warnings(level: "1.23" | "1.24" | "1.25", counts: Readonly<Record<string, number>>) {
  const said: unknown[] = [];
  const { unserved } = resourcesOfLevel(testApiContext({ level }));
  await warnOfUnservedKinds({ countOf: async ({ resource }) => counts[resource] ?? 0 }, unserved, level, {
    warn: (text, fields) => said.push([text, fields]),
  });
  return said;
}

test("stored kinds that the level lacks are named with their number, in one line", async () => {
  const counts = { podsecuritypolicies: 2, validatingadmissionpolicies: 1, pods: 3 };
  expect(await warnings("1.25", counts)).toEqual([
    [
      "the store has objects of kinds that the API level does not have; they are kept and not served",
      {
        level: "1.25",
        kinds: "podsecuritypolicies.policy (2), validatingadmissionpolicies.admissionregistration.k8s.io (1)",
      },
    ],
  ]);
  expect(await warnings("1.24", { podsecuritypolicies: 2 })).toEqual([]);
});

test("kinds of several levels that are stored in the same place are named once", async () => {
  expect(await warnings("1.23", { resourceclaims: 4 })).toEqual([
    [expect.any(String), { level: "1.23", kinds: "resourceclaims.resource.k8s.io (4)" }],
  ]);
});

test("a store that does not answer causes no failure", async () => {
  const said: string[] = [];
  const { unserved } = resourcesOfLevel(testApiContext({ level: "1.25" }));
  const countOf = () => Promise.reject(new Error("no answer"));
  await warnOfUnservedKinds({ countOf }, unserved, "1.25", { warn: (text) => said.push(text) });
  expect(said).toEqual(["could not count the stored objects of other API levels"]);
});

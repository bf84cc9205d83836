import { expect, test } from "vitest";
import { compareVersions } from "./version-order.js";

test("versions are sorted as the Kubernetes documentation's example has them", () => {
  const sorted = [
    "v10",
    "v2",
    "v1",
    "v11beta2",
    "v10beta3",
    "v3beta1",
    "v12alpha1",
    "v11alpha2",
    "foo1",
    "foo10",
  ];
  expect([...sorted].reverse().sort(compareVersions)).toEqual(sorted);
});

test("zeros are numbers of versions too", () => {
  expect(["v0alpha1", "v1beta1", "v0beta1", "v0"].sort(compareVersions)).toEqual([
    "v0",
    "v1beta1",
    "v0beta1",
    "v0alpha1",
  ]);
});

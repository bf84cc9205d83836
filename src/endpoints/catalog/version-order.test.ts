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

test("versions with leading zeros are of another form", () => {
  expect(["v01", "v1alpha0", "v1alpha1"].sort(compareVersions)).toEqual(["v1alpha1", "v01", "v1alpha0"]);
});

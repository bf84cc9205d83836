import { expect, test } from "vitest";
import { apiVersionName, type BuildInfo, gitVersion, versionDocument } from "./version.js";

const build: BuildInfo = { version: "0.1.0", gitCommit: "abc", buildDate: "2022-01-01T00:00:00Z" };

test("a level has one release: the last of 1.23, the first of others", () => {
  expect(apiVersionName("1.23")).toBe("v1.23.17");
  expect(gitVersion(build, "1.35")).toBe("v1.35.0+orch.0.1.0");
});

test("/version says what is emulated from 1.33 on, in the order of its fields", () => {
  expect(versionDocument(build, "1.32")).toMatchObject({ minor: "32" });
  expect(Object.keys(versionDocument(build, "1.32"))).not.toContain("emulationMinor");
  const document = versionDocument(build, "1.33");
  expect(Object.entries(document).slice(0, 7)).toEqual([
    ["major", "1"],
    ["minor", "33"],
    ["emulationMajor", "1"],
    ["emulationMinor", "33"],
    ["minCompatibilityMajor", "1"],
    ["minCompatibilityMinor", "32"],
    ["gitVersion", "v1.33.0+orch.0.1.0"],
  ]);
});

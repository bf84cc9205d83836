import { expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import {
  apiVersionName,
  type BuildInfo,
  documentedVersion,
  gitVersion,
  levelsOf,
  versionDocument,
} from "./version.js";

const none = { emulatedVersion: undefined, minCompatibilityVersion: undefined };
const emulating = (apiLevel: ApiLevel) => ({
  apiLevel,
  emulatedVersion: { version: apiLevel, own: "1.36" as const },
});

const build: BuildInfo = { version: "0.1.0", gitCommit: "abc", buildDate: "2022-01-01T00:00:00Z" };

test("a level has one release: the last of 1.23, the first of others", () => {
  expect(apiVersionName("1.23")).toBe("v1.23.17");
  expect(gitVersion(build, "1.35")).toBe("v1.35.0+orch.0.1.0");
});

test("documents call a version by its release before 1.31, by its level since", () => {
  expect(documentedVersion("1.30")).toBe("v1.30.0");
  expect(documentedVersion("1.31")).toBe("1.31");
});

test("/version says what is emulated from 1.33 on, in the order of its fields", () => {
  const own = (level: ApiLevel) => versionDocument(build, levelsOf({ apiLevel: level, ...none }));
  expect(own("1.32")).toMatchObject({ minor: "32" });
  expect(Object.keys(own("1.32"))).not.toContain("emulationMinor");
  const document = own("1.33");
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

test("a server that emulates another version names both", () => {
  const document = versionDocument(build, levelsOf({ ...none, ...emulating("1.33") }));
  expect(document).toMatchObject({ minor: "36", emulationMinor: "33", minCompatibilityMinor: "33" });
  expect(document.gitVersion).toBe("v1.36.0+orch.0.1.0");
  expect(versionDocument(build, levelsOf({ ...none, ...emulating("1.35") }))).toMatchObject({
    minCompatibilityMinor: "34",
  });
  const minCompatibilityVersion = { version: "1.34" };
  const wide = levelsOf({ ...none, ...emulating("1.36"), minCompatibilityVersion });
  expect(versionDocument(build, wide)).toMatchObject({ emulationMinor: "36", minCompatibilityMinor: "34" });
});

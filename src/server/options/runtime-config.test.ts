import { describe, expect, test } from "vitest";
import { createNaming } from "../../naming/naming.js";
import { configurationMap } from "./key-value-types.js";
import { createRuntimeConfig, type RuntimeConfig } from "./runtime-config.js";

const naming = createNaming("orch");
const known = [
  { group: "", version: "v1", resources: ["events", "pods", "secrets"] },
  { group: "apps", version: "v1", resources: ["deployments"] },
  { group: "batch", version: "v1", resources: ["jobs"] },
  { group: "batch", version: "v1beta1", resources: ["cronjobs"] },
  { group: "storage.orch.io", version: "v1alpha1", resources: ["csistoragecapacities", "other"] },
];

function outcome(text: string) {
  const pairs = configurationMap.parse(text, undefined, naming, "1.23");
  if ("problem" in pairs) throw new Error(pairs.problem);
  return createRuntimeConfig(pairs.value, known);
}

function config(text: string): RuntimeConfig {
  const result = outcome(text);
  if (result.kind === "error") throw new Error(result.problem);
  return result.config;
}

/** `apps/v1` or `apps/v1/deployments`, with a leading slash for the core group. */
function enabled(text: string, what: string, byDefault: boolean): boolean {
  const [group = "", version = "", resource] = what.split("/");
  return config(text).isEnabled({ group, version }, resource, byDefault);
}

describe("precedence", () => {
  test.each([
    ["", "apps/v1", true, true],
    ["", "storage.orch.io/v1alpha1", false, false],
    ["api/all=false,apps/v1=true", "apps/v1", true, true],
    ["api/all=false,apps/v1", "apps/v1", true, true],
    ["api/all=false,apps/v1=true", "batch/v1", true, false],
    ["api/all=true", "storage.orch.io/v1alpha1", false, true],
    ["api/all=true,api/alpha=false", "storage.orch.io/v1alpha1", false, false],
    ["api/alpha=true,api/all=false", "storage.orch.io/v1alpha1", false, true],
    ["api/beta=false", "batch/v1beta1", true, false],
    ["api/beta=false", "batch/v1", true, true],
    ["api/beta=false,batch/v1beta1=true", "batch/v1beta1", true, true],
    ["api/ga=false", "apps/v1", true, false],
    ["api/ga=false", "batch/v1beta1", true, true],
    ["v1=false", "/v1", true, false],
    ["api/legacy=false", "/v1", true, false],
    ["api/legacy=false,v1=true", "/v1", true, true],
    ["v1=true,api/legacy=false", "/v1", true, true],
    ["api/v1", "/v1", false, true],
    ["api/v1=false", "/v1", true, false],
    ["api/v1=false,v1=true", "/v1", true, true],
    ["apps/v1=0", "apps/v1", true, false],
  ])("with %j, %s is served (default %s): %s", (text, what, byDefault, expected) => {
    expect(enabled(text, what, byDefault)).toBe(expected);
  });
});

describe("single resources", () => {
  test("one can be switched off in a version that is on", () => {
    const text = "batch/v1/jobs=false,/v1/secrets=false,api/v1/events=false";
    expect(enabled(text, "batch/v1/jobs", true)).toBe(false);
    expect(enabled(text, "/v1/secrets", true)).toBe(false);
    expect(enabled(text, "/v1/events", true)).toBe(false);
    expect(enabled(text, "/v1/pods", true)).toBe(true);
    expect(enabled(text, "batch/v1", true)).toBe(true);
  });

  test("one can be switched on in a version that is off, which is then served for it alone", () => {
    const text = "storage.orch.io/v1alpha1/csistoragecapacities=true";
    expect(enabled(text, "storage.orch.io/v1alpha1/csistoragecapacities", false)).toBe(true);
    expect(enabled(text, "storage.orch.io/v1alpha1/other", false)).toBe(false);
    expect(enabled(text, "storage.orch.io/v1alpha1", false)).toBe(true);
  });
});

test.each([
  ["api/all=false", "invalid key with only api/all=false"],
  ["apiall=false", "invalid key apiall"],
  ["a/b/c/d=true", "invalid key a/b/c/d"],
  ["apps/=true", "invalid key apps/"],
  ["api/v2=true", "unknown api groups api"],
  ["foo/v1=true,bar/v1=true", "unknown api groups foo,bar"],
  ["apps/v9=true", "group version apps/v9 that has not been registered"],
  ["apps/v1/pods=true", "apps/v1 has no resource pods"],
  ["apps/v1=yes", "invalid value of apps/v1: yes, expected true or false"],
  ["api/beta=1", "invalid value api/beta=1"],
  ["api/beta", "invalid value api/beta="],
])("%j is refused", (text, problem) => {
  expect(outcome(text)).toEqual({ kind: "error", problem });
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type ApiLevel, apiLevels } from "../../apimachinery/levels/api-level.js";
import {
  type FeatureGateName,
  featureGateNames,
  gateAt,
} from "../../apimachinery/levels/feature-gates/feature-gates.js";
import { gatesElsewhere } from "../../apimachinery/levels/feature-gates/gates-elsewhere.js";
import { createNaming } from "../../naming/naming.js";
import {
  describeFeatureGates,
  type FeatureGateSettings,
  FeatureGates,
  featureGateSettings,
  gateWarnings,
  settingProblem,
} from "./feature-gates.js";
import { gatesAskedFor, renderGatesNotFollowed } from "./testing/gates-asked-for.js";

const orch = createNaming("orch");
const kubernetes = createNaming("kubernetes");

function parse(text: string, level: ApiLevel = "1.23", naming = orch) {
  return featureGateSettings.parse(text, undefined, naming, level);
}

function settings(text: string, level: ApiLevel = "1.23", naming = orch): FeatureGateSettings {
  const parsed = parse(text, level, naming);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return parsed.value;
}

function gatesOf(text: string, level: ApiLevel = "1.23"): FeatureGates {
  return new FeatureGates(settings(text, level), level);
}

test("1.23 has the gates of kube-apiserver 1.23, by stage and default", () => {
  const states = featureGateNames.flatMap((name) => gateAt(name, "1.23") ?? []);
  const count = (stage: string, value: boolean) =>
    states.filter((state) => state.stage === stage && state.default === value).length;
  expect(count("beta", true)).toBe(56);
  // Without AllBeta, which is not a gate of its own.
  expect(count("beta", false)).toBe(6);
  // Without AllAlpha, with WatchList.
  expect(count("alpha", false)).toBe(48);
  expect(count("GA", true)).toBe(26);
  expect(count("deprecated", false)).toBe(2);
  expect(count("deprecated", true)).toBe(1);
  expect(states).toHaveLength(139);
});

test.each<[FeatureGateName, ApiLevel, boolean, string | undefined]>([
  ["MinimizeIPTablesRestore", "1.25", false, undefined],
  ["MinimizeIPTablesRestore", "1.27", true, "beta"],
  ["MinimizeIPTablesRestore", "1.30", true, undefined],
  ["NewVolumeManagerReconstruction", "1.27", false, "beta"],
  ["NewVolumeManagerReconstruction", "1.28", true, "beta"],
  ["JobTrackingWithFinalizers", "1.28", true, "GA"],
  ["JobTrackingWithFinalizers", "1.29", true, undefined],
  ["CSIMigrationAzureFile", "1.29", true, "GA"],
  ["CSIMigrationAzureFile", "1.30", true, undefined],
])("%s at %s is on: %j, and of stage %s", (name, level, isOn, stage) => {
  expect([gatesOf("", level).isEnabled(name), gateAt(name, level)?.stage]).toEqual([isOn, stage]);
});

test.each<[FeatureGateName, ApiLevel, ApiLevel]>([
  ["ExpandPersistentVolumes", "1.24", "1.28"],
  ["CSIMigrationvSphere", "1.26", "1.27"],
  ["LegacyServiceAccountTokenNoAutoGeneration", "1.26", "1.27"],
])("%s can be turned off at %s, and not at %s", (name, level, later) => {
  expect(gatesOf(`${name}=false`, level).isEnabled(name)).toBe(false);
  expect(() => gatesOf(`${name}=false`, later)).toThrow();
});

test("gates that are not set have their defaults", () => {
  const gates = gatesOf("");
  expect(gates.isEnabled("APIListChunking")).toBe(true);
  expect(gates.isEnabled("TopologyAwareHints")).toBe(false);
  expect(gates.isEnabled("JobTrackingWithFinalizers")).toBe(false);
  expect(gates.isEnabled("WatchList")).toBe(false);
});

test("pairs are read with spaces and empty items dropped; a later one wins", () => {
  const gates = gatesOf(" OpenAPIV3 = true ,,APIListChunking=false,OpenAPIV3=0");
  expect(gates.isEnabled("OpenAPIV3")).toBe(false);
  expect(gates.isEnabled("APIListChunking")).toBe(false);
});

test("AllAlpha and AllBeta set the gates that are not named, in any order", () => {
  const gates = gatesOf("OpenAPIV3=false,AllAlpha=true,AllBeta=false,SuspendJob=true");
  expect(gates.isEnabled("WatchList")).toBe(true);
  expect(gates.isEnabled("OpenAPIV3")).toBe(false);
  expect(gates.isEnabled("APIListChunking")).toBe(false);
  expect(gates.isEnabled("SuspendJob")).toBe(true);
});

test("AllAlpha and AllBeta set the gates that are alpha and beta at the level", () => {
  expect(gatesOf("AllAlpha=true", "1.24").isEnabled("OpenAPIV3")).toBe(true);
  expect(gatesOf("AllBeta=false", "1.24").isEnabled("OpenAPIV3")).toBe(false);
  expect(gatesOf("AllBeta=false,AllAlpha=false", "1.27").isEnabled("OpenAPIV3")).toBe(true);
});

test.each([
  ["a gate that comes", "SidecarContainers", { "1.27": false, "1.28": false, "1.29": true, "1.36": true }],
  ["a gate that changes its default twice", "WatchList", { "1.32": true, "1.33": false, "1.34": true }],
  ["a gate that is gone after it was on", "APIListChunking", { "1.23": true, "1.32": true, "1.33": true }],
  ["a gate that is gone after it was off", "DynamicNodeAgentConfig", { "1.24": false, "1.30": false }],
  ["a gate that takes something away", "GitRepoVolumeDriver", { "1.23": true, "1.32": true, "1.33": false }],
] as const)("%s answers at every level", (_, name, expected) => {
  for (const level of apiLevels) {
    const value = new Map<string, boolean>(Object.entries(expected)).get(level);
    if (value !== undefined) expect([level, gatesOf("", level).isEnabled(name)]).toEqual([level, value]);
  }
});

test("an unknown gate is refused with the known ones, a bad value with its gate", () => {
  expect(parse("Nonsense=true")).toHaveProperty(
    "problem",
    expect.stringMatching(
      /^unrecognized feature gate: Nonsense \(known: APIListChunking, .*csiMigrationRBD\)$/,
    ),
  );
  expect(parse("SuspendJob")).toEqual({ problem: "missing bool value for SuspendJob" });
  expect(parse("SuspendJob=maybe")).toEqual({
    problem: 'SuspendJob: invalid value "maybe", expected true or false',
  });
});

test("a GA gate can be set at every level that has it, as scripts of that time do", () => {
  expect(gatesOf("ServerSideApply=true,WatchBookmark=true").isEnabled("ServerSideApply")).toBe(true);
  expect(gateWarnings(settings("ServerSideApply=true"), "1.23", orch)).toEqual([
    "Setting GA feature gate ServerSideApply=true. It will be removed in a future release.",
  ]);
  expect(parse("WatchBookmark=false")).toEqual({
    problem: "cannot set feature gate WatchBookmark to false, feature is locked to true",
  });
});

test.each([
  ["CronJobsScheduledAnnotation", true, "1.34"],
  ["InTreePluginGCEUnregister", true, "1.30"],
  ["LegacySidecarContainers", true, "1.33"],
  ["MutatingAdmissionPolicy", true, "1.30"],
  ["PodSchedulingReadiness", true, "1.36"],
  ["ServiceCIDRStatusFieldWiping", false, "1.36"],
  ["StatefulSetStartOrdinal", true, "1.33"],
  ["UserNamespacesPodSecurityStandards", true, "1.34"],
] as const)("%s=%s is taken at %s", (gate, value, level) => {
  expect(settingProblem(gate, value, orch, level)).toBeUndefined();
});

test("a gate is refused at levels that do not know it yet or no longer", () => {
  for (const [gate, level] of [
    ["SidecarContainers", "1.27"],
    ["APIListChunking", "1.33"],
    ["ImageVolumeWithDigest", "1.35"],
    ["InTreePluginGCEUnregister", "1.31"],
    ["LegacySidecarContainers", "1.34"],
    ["RuntimeClass", "1.24"],
    ["PodDisruptionBudget", "1.25"],
    ["UserNamespacesSupport", "1.27"],
    ["HPAContainerMetrics", "1.32"],
    ["WarningHeaders", "1.24"],
    ["MemoryManager", "1.36"],
    ["TopologyAwareHints", "1.36"],
  ] as const) {
    const problem = expect.stringMatching(new RegExp(`^unrecognized feature gate: ${gate} \\(known: `));
    expect(parse(`${gate}=true`, level)).toEqual({ problem });
    expect(settingProblem(gate, true, orch, level)).toEqual(problem);
  }
  expect(gatesOf("SidecarContainers=true", "1.28").isEnabled("SidecarContainers")).toBe(true);
});

test("a locked gate takes its default and nothing else", () => {
  expect(parse("SidecarContainers=false", "1.33")).toEqual({
    problem: "cannot set feature gate SidecarContainers to false, feature is locked to true",
  });
  expect(parse("SidecarContainers=true", "1.33")).toHaveProperty("value");
  expect(parse("AllowServiceLBStatusOnNonLB=true", "1.32")).toEqual({
    problem: "cannot set feature gate AllowServiceLBStatusOnNonLB to true, feature is locked to false",
  });
});

test.each([
  ["DisableNodeOrchProxyVersion", false, "1.35", "1.36"],
  ["TopologyManagerPolicyOptions", false, "1.35", "1.36"],
] as const)("%s=%s is taken at %s, and not at %s", (gate, value, level, later) => {
  expect(settingProblem(gate, value, orch, level)).toBeUndefined();
  expect(settingProblem(gate, value, orch, later)).toContain("feature is locked to true");
});

test("from 1.32 on a gate may be written with its component", () => {
  expect(settings("kube:OpenAPIEnums=false", "1.32", kubernetes)).toEqual(settings("OpenAPIEnums=false"));
  expect(parse("wardle:OpenAPIEnums=false", "1.32", kubernetes)).toEqual({
    problem: "component not registered: wardle",
  });
  expect(parse("kube:OpenAPIEnums=false", "1.31", kubernetes)).toHaveProperty("problem");
});

test("what is GA or deprecated is warned of", () => {
  expect(
    gateWarnings(settings("SidecarContainers=true,KMSv1=true,OpenAPIEnums=true", "1.33"), "1.33", orch),
  ).toEqual([
    "Setting GA feature gate SidecarContainers=true. It will be removed in a future release.",
    "Setting deprecated feature gate KMSv1=true. It will be removed in a future release.",
  ]);
});

test("gates with a vendor word have the profile's name", () => {
  expect(settings("RotateKubeletServerCertificate=false", "1.23", kubernetes)).toEqual(
    settings("RotateNodeAgentServerCertificate=false"),
  );
  expect(parse("RotateKubeletServerCertificate=false")).toHaveProperty("problem");
  expect(describeFeatureGates(kubernetes, "1.23")).toContain(
    "KubeletPodResources=true|false (BETA - default=true)",
  );
  expect(settings("DisableNodeKubeProxyVersion=true", "1.31", kubernetes).size).toBe(1);
});

test("help shows what is alpha and beta at the level", () => {
  const shown = describeFeatureGates(orch, "1.29").map((line) => line.replace(/=.*\(/, " ("));
  expect(shown).toContain("SidecarContainers (BETA - default=true)");
  expect(shown.some((line) => line.startsWith("APIListChunking"))).toBe(false);
});

test("what newer clients rely on is served at 1.23 unless its gate is set to false, and later by its gate", () => {
  expect(gatesOf("OpenAPIV3=false").served("OpenAPIV3")).toBe(false);
  expect(gatesOf("AllAlpha=false").served("OpenAPIV3")).toBe(true);
  const validation = (["1.23", "1.24", "1.25", "1.35"] as const).map((level) =>
    new FeatureGates(new Map(), level).served("ServerSideFieldValidation"),
  );
  expect(validation).toEqual([true, false, true, true]);
});

test("nothing here asks for gates of other programs", () => {
  expect(gatesAskedFor().filter((name) => Object.hasOwn(gatesElsewhere, name))).toEqual([]);
});

test("the list of gates without effect is current (else: npm run generate)", () => {
  const file = new URL("gates-not-followed.ts", import.meta.url);
  expect(readFileSync(file, "utf8")).toBe(renderGatesNotFollowed());
});

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createNaming } from "../../naming/naming.js";
import {
  describeFeatureGates,
  type FeatureGateSettings,
  FeatureGates,
  featureGateSettings,
  featureGates,
} from "./feature-gates.js";

const orch = createNaming("orch");
const kubernetes = createNaming("kubernetes");

function settings(text: string, naming = orch): FeatureGateSettings {
  const parsed = featureGateSettings.parse(text, undefined, naming);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return parsed.value;
}

test("the table has the gates of kube-apiserver 1.23, by maturity and default", () => {
  const count = (maturity: string, value: boolean) =>
    Object.values(featureGates).filter((gate) => gate.maturity === maturity && gate.default === value).length;
  expect(count("beta", true)).toBe(55);
  // AllBeta is not a gate of its own here.
  expect(count("beta", false)).toBe(7);
  // Without AllAlpha, with WatchList.
  expect(count("alpha", false)).toBe(48);
  expect(count("alpha", true)).toBe(0);
});

test("defaults hold for what is not set", () => {
  const gates = new FeatureGates();
  expect(gates.enabled("APIListChunking")).toBe(true);
  expect(gates.enabled("TopologyAwareHints")).toBe(false);
  expect(gates.enabled("JobTrackingWithFinalizers")).toBe(false);
  expect(gates.enabled("WatchList")).toBe(false);
});

test("pairs are read with spaces and empty items dropped; a later one wins", () => {
  const gates = new FeatureGates(settings(" OpenAPIV3 = true ,,APIListChunking=false,OpenAPIV3=0"));
  expect(gates.enabled("OpenAPIV3")).toBe(false);
  expect(gates.enabled("APIListChunking")).toBe(false);
});

test("AllAlpha and AllBeta switch what is not named, in any order", () => {
  const gates = new FeatureGates(settings("OpenAPIV3=false,AllAlpha=true,AllBeta=false,SuspendJob=true"));
  expect(gates.enabled("WatchList")).toBe(true);
  expect(gates.enabled("OpenAPIV3")).toBe(false);
  expect(gates.enabled("APIListChunking")).toBe(false);
  expect(gates.enabled("SuspendJob")).toBe(true);
});

test("an unknown gate is refused with the known ones, a bad value with its gate", () => {
  expect(featureGateSettings.parse("Nonsense=true", undefined, orch)).toHaveProperty(
    "problem",
    expect.stringMatching(
      /^unrecognized feature gate: Nonsense \(known: APIListChunking, .*csiMigrationRBD\)$/,
    ),
  );
  expect(featureGateSettings.parse("SuspendJob", undefined, orch)).toEqual({
    problem: "missing bool value for SuspendJob",
  });
  expect(featureGateSettings.parse("SuspendJob=maybe", undefined, orch)).toEqual({
    problem: 'SuspendJob: invalid value "maybe", expected true or false',
  });
});

test("gates with a vendor word go by the profile's name", () => {
  expect(settings("RotateKubeletServerCertificate=false", kubernetes)).toEqual(
    settings("RotateNodeAgentServerCertificate=false"),
  );
  expect(featureGateSettings.parse("RotateKubeletServerCertificate=false", undefined, orch)).toHaveProperty(
    "problem",
  );
  expect(describeFeatureGates(kubernetes)).toContain("KubeletPodResources=true|false (BETA - default=true)");
});

test("a gate counts as switched off only when it is named", () => {
  expect(new FeatureGates(settings("OpenAPIV3=false")).switchedOff("OpenAPIV3")).toBe(true);
  expect(new FeatureGates(settings("AllAlpha=false")).switchedOff("OpenAPIV3")).toBe(false);
});

test("gates that nothing here asks for are marked as those of other programs, and no others", () => {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
    (path) => /\.ts$/.test(path) && !/\.test\.ts$|^apis\/gen\/|feature-gates\.ts$/.test(path),
  );
  const text = sources.map((path) => readFileSync(join("src", path), "utf8")).join("\n");
  const marked = Object.entries(featureGates).filter(([, gate]) => "elsewhere" in gate);
  const unasked = Object.keys(featureGates).filter((name) => !text.includes(`"${name}"`));
  expect(marked.map(([name]) => name)).toEqual(unasked);
});

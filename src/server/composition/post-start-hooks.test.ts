import { expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { FeatureGateName } from "../../apimachinery/levels/feature-gates/feature-gates.js";
import { TestRegistries } from "../../controllers/testing/registries.js";
import { createNaming } from "../../naming/naming.js";
import { Lifecycle } from "../lifecycle/lifecycle.js";
import { FeatureGates } from "../options/feature-gates.js";
import { hooksInOrder, PostStartHooks } from "./post-start-hooks.js";

type Gates = ReadonlyMap<FeatureGateName, boolean>;

const ofLevel = (level: ApiLevel, gates: Gates = new Map()) => ({
  naming: createNaming("kubernetes"),
  gates: new FeatureGates(gates, level),
  flowControl: undefined,
  reloadsEncryption: false,
  fillCaches: undefined,
  showsCertificate: false,
});

function namesAt(level: ApiLevel, gates?: Gates): readonly string[] {
  return hooksInOrder(ofLevel(level, gates)).map(({ name }) => name.replace(/^poststarthook\//, ""));
}

test.each([
  ["start-kube-apiserver-admission-initializer", ["1.23", "1.29"], ["1.30", "1.36"]],
  ["start-apiserver-admission-initializer", ["1.30", "1.36"], ["1.23", "1.29"]],
  ["storage-object-count-tracker-hook", ["1.25", "1.36"], ["1.23", "1.24"]],
  ["apiservice-openapiv3-controller", ["1.24", "1.36"], ["1.23"]],
  ["start-legacy-token-tracking-controller", ["1.26", "1.36"], ["1.23", "1.25"]],
  [
    "start-deprecated-kube-apiserver-identity-lease-garbage-collector",
    ["1.27", "1.28"],
    ["1.23", "1.26", "1.29"],
  ],
  ["apiservice-discovery-controller", ["1.27", "1.36"], ["1.23", "1.26"]],
  ["start-system-namespaces-controller", ["1.27", "1.36"], ["1.23", "1.26"]],
  ["start-service-ip-repair-controllers", ["1.28", "1.36"], ["1.23", "1.27"]],
  ["apiservice-status-available-controller", ["1.23", "1.30"], ["1.31", "1.36"]],
  ["apiservice-status-local-available-controller", ["1.31", "1.36"], ["1.23", "1.30"]],
  ["apiservice-status-remote-available-controller", ["1.31", "1.36"], ["1.23", "1.30"]],
] satisfies [string, ApiLevel[], ApiLevel[]][])("%s is a hook of its levels", (name, having, lacking) => {
  for (const level of having) expect(namesAt(level), level).toContain(name);
  for (const level of lacking) expect(namesAt(level), level).not.toContain(name);
});

test("since 1.31 what concerns namespaces and servers stands before the objects of a cluster", () => {
  const gates: Gates = new Map([["CoordinatedLeaderElection", true]]);
  const names = namesAt("1.35", gates);
  expect(names.slice(names.indexOf("crd-informer-synced") + 1)).toEqual([
    "start-system-namespaces-controller",
    "start-kube-apiserver-coordinated-leader-election-controller",
    "start-cluster-authentication-info-controller",
    "start-kube-apiserver-identity-lease-controller",
    "start-kube-apiserver-identity-lease-garbage-collector",
    "start-legacy-token-tracking-controller",
    "start-service-ip-repair-controllers",
    "rbac/bootstrap-roles",
    "scheduling/bootstrap-system-priority-classes",
    "priority-and-fairness-config-producer",
    "bootstrap-controller",
    "start-kubernetes-service-cidr-controller",
    "start-kube-aggregator-informers",
    "apiservice-status-local-available-controller",
    "apiservice-status-remote-available-controller",
    "apiservice-registration-controller",
    "apiservice-discovery-controller",
    "kube-apiserver-autoregistration",
    "apiservice-openapi-controller",
    "apiservice-openapiv3-controller",
  ]);
});

test("the hooks of the server's lease stand before those of the aggregator", () => {
  const names = namesAt("1.26");
  const first = names.indexOf("start-kube-apiserver-identity-lease-controller");
  expect(names.slice(first, first + 4)).toEqual([
    "start-kube-apiserver-identity-lease-controller",
    "start-kube-apiserver-identity-lease-garbage-collector",
    "start-legacy-token-tracking-controller",
    "start-kube-aggregator-informers",
  ]);
});

test.each<[level: ApiLevel, first: string, hooks: readonly string[]]>([
  ["1.27", "crd-informer-synced", ["bootstrap-controller", "rbac/bootstrap-roles"]],
  ["1.28", "start-system-namespaces-controller", ["bootstrap-controller"]],
  [
    "1.29",
    "apiservice-status-available-controller",
    [
      "built-in-resources-storage-version-updater",
      "kube-apiserver-autoregistration",
      "apiservice-openapi-controller",
      "apiservice-openapiv3-controller",
      "apiservice-discovery-controller",
    ],
  ],
  [
    "1.30",
    "apiservice-status-available-controller",
    [
      "apiservice-discovery-controller",
      "built-in-resources-storage-version-updater",
      "kube-apiserver-autoregistration",
      "apiservice-openapi-controller",
      "apiservice-openapiv3-controller",
    ],
  ],
])("at %s, what comes after %s is in the order of the level", (level, first, hooks) => {
  const names = namesAt(
    level,
    new Map([
      ["APIServerIdentity", true],
      ["StorageVersionAPI", true],
    ]),
  );
  const start = names.indexOf(first) + 1;
  expect(names.slice(start, start + hooks.length)).toEqual(hooks);
});

test("the last hooks are done when the server has been announced", async () => {
  const lifecycle = new Lifecycle(0, 0);
  const hooks = new PostStartHooks({
    ...ofLevel("1.23"),
    lifecycle,
    context: new TestRegistries([]).context,
    controllers: [],
    inspectStore: async () => undefined,
  });
  const pending = () => lifecycle.hookNames().filter((name) => !lifecycle.isHookDone(name));
  let announce = (): void => undefined;
  const announced = new Promise<void>((resolve) => {
    announce = resolve;
  });
  const run = hooks.run(true, announced);
  await expect.poll(() => pending().length).toBeLessThan(lifecycle.hookNames().length);
  expect(pending()).not.toEqual([]);
  announce();
  await run;
  expect(pending()).toEqual([]);
});

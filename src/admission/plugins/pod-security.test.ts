import { describe, expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { PluginGround } from "../testing/plugin-ground.js";
import { podOfContainer, podWith } from "../testing/test-pods.js";
import { podSecurity } from "./pod-security.js";

const label = (name: string) => `pod-security.kubernetes.io/${name}`;
const namespaceWith = (labels: Readonly<Record<string, string>>) => ({
  metadata: {
    name: "ns",
    labels: Object.fromEntries(Object.entries(labels).map(([name, value]) => [label(name), value])),
  },
});

function groundOf(labels: Readonly<Record<string, string>>, parts: object = {}): PluginGround {
  return new PluginGround(podSecurity, { known: { namespaces: [namespaceWith(labels)] }, ...parts });
}

const restrictedContext = {
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  seccompProfile: { type: "RuntimeDefault" },
  capabilities: { drop: ["ALL"] },
};
const good = podOfContainer({ securityContext: restrictedContext });
const inContext = (securityContext: object) => podOfContainer({ securityContext });
const inRestricted = (changes: object) =>
  podOfContainer({ securityContext: { ...restrictedContext, ...changes } });

describe("the baseline", () => {
  test.each([
    [podWith(), undefined],
    [podWith({ hostNetwork: true, hostPID: true }), "host namespaces (hostNetwork=true, hostPID=true)"],
    [podWith({ volumes: [{ name: "v", hostPath: { path: "/" } }] }), 'hostPath volumes (volume "v")'],
    [
      podOfContainer({
        ports: [
          { containerPort: 80, hostPort: 80 },
          { containerPort: 81, hostPort: 8080 },
        ],
      }),
      'hostPort (container "a" uses hostPorts 80, 8080)',
    ],
    [
      inContext({ privileged: true }),
      'privileged (container "a" must not set securityContext.privileged=true)',
    ],
    [
      inContext({ capabilities: { add: ["NET_ADMIN", "CHOWN"] } }),
      'non-default capabilities (container "a" must not include "NET_ADMIN" in securityContext.capabilities.add)',
    ],
    [
      inContext({ procMount: "Unmasked" }),
      'procMount (container "a" must not set securityContext.procMount to "Unmasked")',
    ],
    [
      podWith({ securityContext: { seLinuxOptions: { type: "spc_t", user: "u" } } }),
      'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "spc_t"; user may not be set)',
    ],
    [
      podWith({ securityContext: { seccompProfile: { type: "Unconfined" } } }),
      'seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
    ],
    [
      podWith({ securityContext: { sysctls: [{ name: "kernel.msgmax", value: "1" }] } }),
      "forbidden sysctls (kernel.msgmax)",
    ],
    [
      podWith({ securityContext: { windowsOptions: { hostProcess: true } } }),
      "hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)",
    ],
    [
      podWith({}, { annotations: { "container.apparmor.security.beta.kubernetes.io/a": "unconfined" } }),
      'forbidden AppArmor profile (container.apparmor.security.beta.kubernetes.io/a="unconfined")',
    ],
  ])("%j", async (object, violation) => {
    const { refusal, code } = await groundOf({ enforce: "baseline" }).admit({ resource: "pods", object });
    expect(refusal).toBe(
      violation && `pods "pod" is forbidden: violates PodSecurity "baseline:latest": ${violation}`,
    );
    expect(code).toBe(violation && 403);
  });
});

describe("the restricted level", () => {
  test("names what breaks the baseline first", async () => {
    const object = podWith({ hostPID: true }, {});
    const { refusal } = await groundOf({ enforce: "restricted" }).admit({ resource: "pods", object });
    expect(refusal).toMatch(/: host namespaces \(hostPID=true\), allowPrivilegeEscalation != false /);
  });

  test.each([
    [good, undefined],
    [
      podWith(),
      'allowPrivilegeEscalation != false (container "a" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "a" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "a" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    ],
    [
      inRestricted({ capabilities: { drop: ["ALL"], add: ["NET_BIND_SERVICE", "CHOWN"] } }),
      'unrestricted capabilities (container "a" must not include "CHOWN" in securityContext.capabilities.add)',
    ],
    [inRestricted({ runAsUser: 0 }), 'runAsUser=0 (container "a" must not set runAsUser=0)'],
    [
      inRestricted({ runAsNonRoot: false }),
      'runAsNonRoot != true (container "a" must not set securityContext.runAsNonRoot=false)',
    ],
    [
      podOfContainer(
        { securityContext: restrictedContext },
        {
          volumes: [
            { name: "h", hostPath: { path: "/" } },
            { name: "e", emptyDir: {} },
          ],
        },
      ),
      'restricted volume types (volume "h" uses restricted volume type "hostPath")',
    ],
  ])("%j", async (object, violation) => {
    const { refusal } = await groundOf({ enforce: "restricted" }).admit({ resource: "pods", object });
    expect(refusal).toBe(
      violation && `pods "pod" is forbidden: violates PodSecurity "restricted:latest": ${violation}`,
    );
  });

  test.each([
    ["v1.7", ["runAsNonRoot"]],
    ["v1.8", ["allowPrivilegeEscalation", "runAsNonRoot"]],
    ["v1.19", ["allowPrivilegeEscalation", "runAsNonRoot", "seccompProfile"]],
    ["v1.22", ["allowPrivilegeEscalation", "unrestricted", "runAsNonRoot", "seccompProfile"]],
    ["v1.99", ["allowPrivilegeEscalation", "unrestricted", "runAsNonRoot", "seccompProfile"]],
  ])("has the rules of %s", async (version, reasons) => {
    const ground = groundOf({ enforce: "restricted", "enforce-version": version });
    const { refusal } = await ground.admit({ resource: "pods", object: podWith() });
    const [, rules = ""] = (refusal ?? "").split(`"restricted:${version}": `);
    expect(rules.split("), ").map((rule) => rule.split(" ")[0])).toEqual(reasons);
  });
});

describe("modes", () => {
  test("audit and warn admit", async () => {
    const ground = groundOf({ audit: "restricted", warn: "baseline" });
    const outcome = await ground.admit({ resource: "pods", object: podWith({ hostNetwork: true }) });
    expect(outcome.refusal).toBeUndefined();
    expect(outcome.warnings).toEqual([
      'would violate PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
    ]);
    expect(outcome.annotations[label("enforce-policy")]).toBe("privileged:latest");
    expect(outcome.annotations[label("audit-violations")]).toContain(
      'would violate PodSecurity "restricted:latest"',
    );
  });

  test.each([
    ["deployments", { selector: { matchLabels: { a: "b" } } }, (template: object) => ({ template })],
    ["jobs", {}, (template: object) => ({ template })],
    ["cronjobs", { schedule: "* * * * *" }, (template: object) => ({ jobTemplate: { spec: { template } } })],
  ])("%s are warned about and never refused", async (resource, spec, within) => {
    const ground = groundOf({ enforce: "restricted", warn: "baseline" });
    const template = {
      metadata: { labels: { a: "b" } },
      spec: { hostPID: true, containers: [{ name: "a", image: "a" }] },
    };
    const outcome = await ground.admit({
      resource,
      object: { metadata: { name: "x" }, spec: { ...spec, ...within(template) } },
    });
    expect(outcome.refusal).toBeUndefined();
    expect(outcome.warnings).toEqual([
      'would violate PodSecurity "baseline:latest": host namespaces (hostPID=true)',
    ]);
  });

  const nothing: readonly string[] = [];
  test.each<[ApiLevel, Readonly<Record<string, string>>, readonly string[]]>([
    ["1.25", { enforce: "baseline" }, nothing],
    ["1.26", { enforce: "baseline" }, ["baseline:latest"]],
    ["1.26", { enforce: "baseline", "enforce-version": "v1.24" }, ["baseline:v1.24"]],
    ["1.26", { enforce: "baseline", "warn-version": "v1.23" }, ["baseline:v1.23"]],
    ["1.26", { enforce: "baseline", warn: "privileged" }, nothing],
    ["1.26", { "enforce-version": "v1.24" }, nothing],
    ["1.26", { enforce: "loose" }, nothing],
  ])("what is enforced warns of workloads from 1.26 on: %s, %j", async (level, labels, warned) => {
    const { warnings } = await groundOf(labels, { level }).admit({
      resource: "replicationcontrollers",
      object: {
        metadata: { name: "x" },
        spec: { template: { spec: { hostPID: true, containers: [{ name: "a", image: "a" }] } } },
      },
    });
    expect(warnings).toEqual(
      warned.map((policy) => `would violate PodSecurity "${policy}": host namespaces (hostPID=true)`),
    );
  });

  test("an update that changes nothing that matters is not looked at; a new image is", async () => {
    const ground = groundOf({ enforce: "baseline" });
    const old = podWith({ hostPID: true });
    const admit = async (object: object, resource = "pods") =>
      (await ground.admit({ resource, object, old })).refusal;
    expect(await admit(podWith({ hostPID: true }, { labels: { a: "b" } }))).toBeUndefined();
    expect(await admit(old, "pods/status")).toBeUndefined();
    expect(await admit(podOfContainer({ image: "b" }, { hostPID: true }))).toContain("host namespaces");
  });

  test.each<[ApiLevel, boolean]>([
    ["1.26", true],
    ["1.27", false],
  ])("at %s, an update of annotations for seccomp is looked at: %s", async (level, isLookedAt) => {
    const ground = groundOf({ enforce: "baseline" }, { level });
    const annotated = (value: string) =>
      podWith({ hostPID: true }, { annotations: { "seccomp.security.alpha.kubernetes.io/pod": value } });
    const write = { resource: "pods", object: annotated("unconfined"), old: annotated("runtime/default") };
    expect((await ground.admit(write)).refusal === undefined).toBe(!isLookedAt);
  });

  test.each([
    [{ usernames: ["user"] }, "user"],
    [{ namespaces: ["ns"] }, "namespace"],
    [{ runtimeClasses: ["vm"] }, "runtimeClass"],
  ])("exempt: %j", async (exemptions, dimension) => {
    const configuration = {
      apiVersion: "pod-security.admission.config.k8s.io/v1beta1",
      kind: "PodSecurityConfiguration",
      defaults: { enforce: "baseline" },
      exemptions,
    };
    const object = podWith({ hostPID: true, runtimeClassName: "vm" });
    const outcome = await groundOf({}, { configuration }).admit({ resource: "pods", object });
    expect(outcome.refusal).toBeUndefined();
    expect(outcome.annotations).toEqual({ [label("exempt")]: dimension });
    const other = { ...configuration, exemptions: {} };
    expect(
      (await groundOf({}, { configuration: other }).admit({ resource: "pods", object })).refusal,
    ).toContain('violates PodSecurity "baseline:latest": host namespaces');
  });

  test("a wrong label is enforced as the strictest level", async () => {
    const outcome = await groundOf({ enforce: "loose" }).admit({ resource: "pods", object: podWith() });
    expect(outcome.refusal).toContain('violates PodSecurity "restricted:latest"');
    expect(outcome.annotations[label("error")]).toContain("Failed to parse policy");
  });
});

describe("namespaces", () => {
  test("wrong labels are refused, unless they were wrong before", async () => {
    const ground = groundOf({});
    const wrong = namespaceWith({ enforce: "loose", "warn-version": "1.22" });
    const refusalOf = async (old?: object) =>
      (await ground.admit({ resource: "namespaces", object: wrong, ...(old && { old }) })).refusal;
    expect(await refusalOf()).toBe(
      'Namespace "ns" is invalid: [metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "loose": must be one of privileged, baseline, restricted, metadata.labels[pod-security.kubernetes.io/warn-version]: Invalid value: "1.22": must be "latest" or "v1.x"]',
    );
    expect(await refusalOf(namespaceWith({}))).toContain("must be one of");
    expect(await refusalOf(wrong)).toBeUndefined();
  });

  const pods = [
    podWith({ hostPID: true }, { name: "b", namespace: "ns" }),
    podWith({ hostPID: true }, { name: "a", namespace: "ns" }),
    podWith(
      { containers: [{ name: "a", image: "a", securityContext: { privileged: true } }] },
      { name: "c", namespace: "ns" },
    ),
    podWith({}, { name: "d", namespace: "ns" }),
  ];

  test.each([
    [
      {},
      { enforce: "baseline" },
      [
        'existing pods in namespace "ns" violate the new PodSecurity enforce level "baseline:latest"',
        "a (and 1 other pod): host namespaces",
        "c: privileged",
      ],
    ],
    [{ enforce: "baseline" }, { enforce: "baseline" }, []],
    [{ enforce: "restricted" }, { enforce: "baseline" }, []],
    [{ enforce: "restricted" }, { enforce: "privileged" }, []],
  ])("from %j to %j", async (before, after, warnings) => {
    const ground = new PluginGround(podSecurity, { known: { pods } });
    const outcome = await ground.admit({
      resource: "namespaces",
      object: namespaceWith(before === undefined ? {} : after),
      old: namespaceWith(before),
    });
    expect(outcome.warnings).toEqual(warnings);
  });

  test("the first 3000 pods are those of different controllers, without exempt ones", async () => {
    const pod = (name: string, spec: object, owner?: string) => {
      const controller = {
        apiVersion: "apps/v1",
        kind: "ReplicaSet",
        name: owner,
        uid: owner,
        controller: true,
      };
      return podWith(spec, {
        name,
        namespace: "ns",
        ownerReferences: owner === undefined ? [] : [controller],
      });
    };
    const many = (count: number, of: (index: number) => object) =>
      Array.from({ length: count }, (_, i) => of(i));
    const ground = new PluginGround(podSecurity, {
      configuration: {
        apiVersion: "pod-security.admission.config.k8s.io/v1beta1",
        kind: "PodSecurityConfiguration",
        exemptions: { runtimeClasses: ["vm"] },
      },
      known: {
        pods: [
          ...many(10, (index) => pod(`exempt${index}`, { runtimeClassName: "vm", hostPID: true })),
          ...many(3000, (index) => pod(`replica${index}`, { hostIPC: true }, "set")),
          pod("single", { volumes: [{ name: "v", hostPath: { path: "/" } }] }),
        ],
      },
    });
    const outcome = await ground.admit({
      resource: "namespaces",
      object: namespaceWith({ enforce: "baseline" }),
      old: namespaceWith({}),
    });
    expect(outcome.warnings.slice(0, 1)).toEqual([
      "new PodSecurity enforce level only checked against the first 3000 of 3001 existing pods",
    ]);
    expect(outcome.warnings.slice(2)).toEqual([
      "replica0 (and 2998 other pods): host namespaces",
      "single: hostPath volumes",
    ]);
  });

  const ignored = (policy: string) =>
    `namespace "ns" is exempt from Pod Security, and the policy (${policy}) will be ignored`;
  test.each<
    [ApiLevel, Readonly<Record<string, string>> | undefined, Readonly<Record<string, string>>, string[]]
  >([
    ["1.24", undefined, { enforce: "restricted" }, []],
    ["1.25", undefined, { enforce: "restricted" }, [ignored("enforce=restricted:latest")]],
    [
      "1.25",
      {},
      { enforce: "restricted", audit: "baseline", "audit-version": "v1.24" },
      [ignored("enforce=restricted:latest, audit=baseline:v1.24")],
    ],
    ["1.25", { enforce: "restricted" }, { enforce: "restricted" }, []],
    ["1.25", undefined, {}, []],
    ["1.25", undefined, { enforce: "privileged" }, []],
    ["1.25", undefined, { enforce: "baseline" }, []],
  ])("at %s, an exempt one from %j to %j", async (level, before, after, warnings) => {
    const configuration = {
      apiVersion: "pod-security.admission.config.k8s.io/v1beta1",
      kind: "PodSecurityConfiguration",
      defaults: { enforce: "baseline" },
      exemptions: { namespaces: ["ns"] },
    };
    const ground = new PluginGround(podSecurity, { known: { pods }, configuration, level });
    const outcome = await ground.admit({
      resource: "namespaces",
      object: namespaceWith(after),
      ...(before && { old: namespaceWith(before) }),
    });
    expect(outcome.warnings).toEqual(warnings);
    expect(outcome.annotations).toEqual({});
  });
});

test.each([
  [{ apiVersion: "v1", kind: "PodSecurityConfiguration" }, "want PodSecurityConfiguration of"],
  [{ defaults: { enforce: "loose" } }, "defaults.enforce: must be one of"],
  [{ defaults: { "warn-version": "1" } }, 'defaults.warn-version: must be "latest" or "v1.x"'],
  [{ defaults: { enforced: "baseline" } }, "defaults.enforced: unknown field"],
  [{ exemptions: { usernames: ["a", "a"] } }, 'exemptions.usernames[1]: duplicate value "a"'],
  [{ exemptions: { namespaces: ["A"] } }, 'exemptions.namespaces[0]: invalid name "A"'],
])("configuration %j is refused", (fields, message) => {
  const configuration = {
    apiVersion: "pod-security.admission.config.k8s.io/v1alpha1",
    kind: "PodSecurityConfiguration",
    ...fields,
  };
  expect(() => new PluginGround(podSecurity, { configuration })).toThrow(message);
});

test("without the gate PodSecurity pods are held to no level", async () => {
  const privileged = podWith({ hostNetwork: true });
  const admit = async (gates: Readonly<Record<string, boolean>>) =>
    (await groundOf({ enforce: "restricted" }, { gates }).admit({ resource: "pods", object: privileged }))
      .refusal;
  expect(await admit({ PodSecurity: true })).toContain('violates PodSecurity "restricted:latest"');
  expect(await admit({ PodSecurity: false })).toBeUndefined();
});

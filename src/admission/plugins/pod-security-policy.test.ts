import { describe, expect, test } from "vitest";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import { PluginGround } from "../testing/plugin-ground.js";
import { podOfContainer, podWith } from "../testing/test-pods.js";
import type { AccessQuestion } from "./plugin-context.js";
import { podSecurityPolicy } from "./pod-security-policy.js";

const any = { rule: "RunAsAny" };
const usual = { seLinux: any, runAsUser: any, supplementalGroups: any, fsGroup: any, volumes: ["*"] };

function policy(name: string, spec: object = {}, annotations: object = {}): object {
  return { metadata: { name, annotations }, spec: { ...usual, ...spec } };
}

function groundOf(
  policies: readonly object[],
  isAllowed?: (user: UserInfo, question: AccessQuestion) => boolean,
) {
  return new PluginGround(podSecurityPolicy, {
    known: { podsecuritypolicies: policies },
    ...(isAllowed && { isAllowed }),
  });
}

const range = (min: number, max: number) => ({ min, max });
const seLinuxOptions = { user: "u", role: "r", type: "t", level: "s0:c1,c2" };
const seccomp = "seccomp.security.alpha.kubernetes.io";
const appArmor = "apparmor.security.beta.kubernetes.io";

describe("what a policy refuses", () => {
  test.each<[object, object, string]>([
    [
      {},
      podOfContainer({ securityContext: { privileged: true } }),
      "spec.containers[0].securityContext.privileged: Invalid value: true: Privileged containers are not allowed",
    ],
    [
      {},
      podWith({ hostNetwork: true }),
      "spec.securityContext.hostNetwork: Invalid value: true: Host network is not allowed to be used",
    ],
    [
      {},
      podWith({ hostPID: true, hostIPC: true }),
      "spec.securityContext.hostPID: Invalid value: true: Host PID is not allowed to be used spec.securityContext.hostIPC: Invalid value: true: Host IPC is not allowed to be used",
    ],
    [
      { hostPorts: [range(5, 8), range(10, 10)] },
      podOfContainer({ ports: [{ containerPort: 1, hostPort: 9 }] }),
      "spec.containers[0].hostPort: Invalid value: 9: Host port 9 is not allowed to be used. Allowed ports: [5-8,10]",
    ],
    [
      { volumes: ["emptyDir"] },
      podWith({ volumes: [{ name: "v", hostPath: { path: "/" } }] }),
      'spec.volumes[0]: Invalid value: "hostPath": hostPath volumes are not allowed to be used',
    ],
    [
      { volumes: ["cephFS"] },
      podWith({
        volumes: [
          { name: "v", cephfs: { monitors: ["a"] } },
          { name: "w", projected: { sources: [] } },
        ],
      }),
      'spec.volumes[1]: Invalid value: "projected": projected volumes are not allowed to be used',
    ],
    [
      { allowedHostPaths: [{ pathPrefix: "/foo/" }] },
      podWith({ volumes: [{ name: "v", hostPath: { path: "/foobar" } }] }),
      'spec.volumes[0].hostPath.pathPrefix: Invalid value: "/foobar": is not allowed to be used',
    ],
    [
      { allowedHostPaths: [{ pathPrefix: "/foo", readOnly: true }] },
      podWith({
        volumes: [{ name: "v", hostPath: { path: "/foo/bar" } }],
        containers: [
          { name: "a", image: "a", volumeMounts: [{ name: "v", mountPath: "/a", readOnly: true }] },
          { name: "b", image: "b", volumeMounts: [{ name: "v", mountPath: "/b" }] },
        ],
      }),
      "spec.containers[1].volumeMounts[0].readOnly: Invalid value: false: must be read-only",
    ],
    [
      { allowedFlexVolumes: [{ driver: "a/b" }] },
      podWith({ volumes: [{ name: "v", flexVolume: { driver: "a/c" } }] }),
      'spec.volumes[0].driver: Invalid value: "a/c": Flexvolume driver is not allowed to be used',
    ],
    [
      { allowedCSIDrivers: [{ name: "a.b" }] },
      podWith({ volumes: [{ name: "v", csi: { driver: "a.c" } }] }),
      'spec.volumes[0].csi.driver: Invalid value: "a.c": Inline CSI driver is not allowed to be used',
    ],
    [
      { runAsUser: { rule: "MustRunAs", ranges: [range(1, 5), range(7, 9)] } },
      podOfContainer({ securityContext: { runAsUser: 6 } }),
      "spec.containers[0].securityContext.runAsUser: Invalid value: 6: must be in the ranges: [{1 5} {7 9}]",
    ],
    [
      { runAsUser: { rule: "MustRunAsNonRoot" } },
      podWith({ securityContext: { runAsUser: 0 } }),
      "spec.containers[0].securityContext.runAsUser: Invalid value: 0: running with the root UID is forbidden",
    ],
    [
      { runAsUser: { rule: "MustRunAsNonRoot" } },
      podWith({ securityContext: { runAsNonRoot: false } }),
      "spec.containers[0].securityContext.runAsNonRoot: Invalid value: false: must be true",
    ],
    [
      { runAsGroup: { rule: "MayRunAs", ranges: [range(1, 2)] } },
      podWith({ securityContext: { runAsGroup: 3 } }),
      "spec.containers[0].securityContext: Invalid value: []int64{3}: group 3 must be in the ranges: [{1 2}]",
    ],
    [
      { fsGroup: { rule: "MustRunAs", ranges: [range(1, 2)] } },
      podWith({ securityContext: { fsGroup: 3 } }),
      "spec.securityContext.fsGroup: Invalid value: []int64{3}: group 3 must be in the ranges: [{1 2}]",
    ],
    [
      { supplementalGroups: { rule: "MayRunAs", ranges: [range(1, 2)] } },
      podWith({ securityContext: { supplementalGroups: [1, 4] } }),
      "spec.securityContext.supplementalGroups: Invalid value: []int64{1, 4}: group 4 must be in the ranges: [{1 2}]",
    ],
    [
      { seLinux: { rule: "MustRunAs", seLinuxOptions } },
      podOfContainer({ securityContext: { seLinuxOptions: { ...seLinuxOptions, level: "s0:c1,c3" } } }),
      'spec.containers[0].securityContext.seLinuxOptions.level: Invalid value: "s0:c1,c3": must be s0:c1,c2',
    ],
    [
      { allowedCapabilities: ["A"] },
      podOfContainer({ securityContext: { capabilities: { add: ["A", "B"] } } }),
      'spec.containers[0].securityContext.capabilities.add: Invalid value: "B": capability may not be added',
    ],
    [
      { forbiddenSysctls: ["net.core.*"], allowedUnsafeSysctls: ["kernel.*"] },
      podWith({
        securityContext: {
          sysctls: [
            { name: "net.core.x", value: "1" },
            { name: "kernel.y", value: "1" },
            { name: "net.ipv4.tcp_syncookies", value: "1" },
            { name: "vm.z", value: "1" },
          ],
        },
      }),
      'pod.spec.securityContext.sysctls[0]: Forbidden: sysctl "net.core.x" is not allowed pod.spec.securityContext.sysctls[3]: Forbidden: unsafe sysctl "vm.z" is not allowed',
    ],
    [
      {},
      podOfContainer({ securityContext: { procMount: "Unmasked" } }),
      'spec.containers[0].securityContext.procMount: Invalid value: "Unmasked": ProcMountType is not allowed',
    ],
    [
      { readOnlyRootFilesystem: true },
      podOfContainer({ securityContext: { readOnlyRootFilesystem: false } }),
      "spec.containers[0].securityContext.readOnlyRootFilesystem: Invalid value: false: ReadOnlyRootFilesystem must be set to true",
    ],
    [
      { allowPrivilegeEscalation: false },
      podOfContainer({ securityContext: { allowPrivilegeEscalation: true } }),
      "spec.containers[0].securityContext.allowPrivilegeEscalation: Invalid value: true: Allowing privilege escalation for containers is not allowed",
    ],
    [
      { runtimeClass: { allowedRuntimeClassNames: ["a"] } },
      podWith({ runtimeClassName: "b" }),
      'spec.runtimeClassName: Invalid value: "b"',
    ],
  ])("%j: %j", async (spec, object, problem) => {
    const { refusal, code } = await groundOf([policy("p", spec)]).admit({ resource: "pods", object });
    expect(refusal).toBe(`pods "pod" is forbidden: PodSecurityPolicy: unable to admit pod: [${problem}]`);
    expect(code).toBe(403);
  });

  test.each<[object, object, string]>([
    [
      {},
      podOfContainer({ securityContext: { seccompProfile: { type: "RuntimeDefault" } } }),
      `pod.metadata.annotations[container.${seccomp}/a]: Forbidden: seccomp may not be set`,
    ],
    [
      { [`${seccomp}/allowedProfileNames`]: "localhost/a" },
      podWith({}, { annotations: { [`${seccomp}/pod`]: "localhost/b" } }),
      `pod.metadata.annotations[${seccomp}/pod]: Forbidden: localhost/b is not an allowed seccomp profile. Valid values are localhost/a pod.metadata.annotations[container.${seccomp}/a]: Forbidden: localhost/b is not an allowed seccomp profile. Valid values are localhost/a`,
    ],
    [
      { [`${appArmor}/allowedProfileNames`]: "runtime/default" },
      podWith(),
      `pod.metadata.annotations[container.${appArmor}/a]: Forbidden: AppArmor profile must be set`,
    ],
    [
      { [`${appArmor}/allowedProfileNames`]: "runtime/default" },
      podWith({}, { annotations: { [`container.${appArmor}/a`]: "unconfined" } }),
      `pod.metadata.annotations[container.${appArmor}/a]: Forbidden: unconfined is not an allowed profile. Allowed values: "runtime/default"`,
    ],
  ])("profiles %j: %j", async (annotations, object, problem) => {
    const { refusal } = await groundOf([policy("p", {}, annotations)]).admit({ resource: "pods", object });
    expect(refusal).toBe(`pods "pod" is forbidden: PodSecurityPolicy: unable to admit pod: [${problem}]`);
  });
});

describe("what a policy fills in", () => {
  const context = (securityContext: object) => ({ spec: { containers: [{ securityContext }] } });

  test.each<[object, object, object]>([
    [{ runAsUser: { rule: "MustRunAs", ranges: [range(5, 9)] } }, podWith(), context({ runAsUser: 5 })],
    [{ runAsUser: { rule: "MustRunAsNonRoot" } }, podWith(), context({ runAsNonRoot: true })],
    [{ runAsGroup: { rule: "MustRunAs", ranges: [range(5, 9)] } }, podWith(), context({ runAsGroup: 5 })],
    [
      { fsGroup: { rule: "MustRunAs", ranges: [range(5, 9)] } },
      podWith(),
      { spec: { securityContext: { fsGroup: 5 } } },
    ],
    [
      { supplementalGroups: { rule: "MustRunAs", ranges: [range(5, 9)] } },
      podWith(),
      { spec: { securityContext: { supplementalGroups: [5] } } },
    ],
    [
      { seLinux: { rule: "MustRunAs", seLinuxOptions } },
      podWith(),
      { spec: { securityContext: { seLinuxOptions } } },
    ],
    [
      { defaultAddCapabilities: ["B", "A", "D"], requiredDropCapabilities: ["C"] },
      podOfContainer({ securityContext: { capabilities: { drop: ["D"] } } }),
      context({ capabilities: { add: ["A", "B"], drop: ["C", "D"] } }),
    ],
    [{ readOnlyRootFilesystem: true }, podWith(), context({ readOnlyRootFilesystem: true })],
    [{ allowPrivilegeEscalation: false }, podWith(), context({ allowPrivilegeEscalation: false })],
    [{ defaultAllowPrivilegeEscalation: true }, podWith(), context({ allowPrivilegeEscalation: true })],
    [
      { runtimeClass: { allowedRuntimeClassNames: ["a"], defaultRuntimeClassName: "a" } },
      podWith(),
      { spec: { runtimeClassName: "a" } },
    ],
  ])("%j", async (spec, object, expected) => {
    const {
      refusal,
      object: admitted,
      annotations,
    } = await groundOf([policy("p", spec)]).admit({ resource: "pods", object });
    expect(refusal).toBeUndefined();
    expect(admitted).toMatchObject({ metadata: { annotations: { "kubernetes.io/psp": "p" } }, ...expected });
    expect(annotations).toEqual({
      "podsecuritypolicy.policy.k8s.io/admit-policy": "p",
      "podsecuritypolicy.policy.k8s.io/validate-policy": "p",
    });
  });

  test("profiles, as annotations and as the field", async () => {
    const annotations = {
      [`${seccomp}/allowedProfileNames`]: "docker/default",
      [`${seccomp}/defaultProfileName`]: "runtime/default",
      [`${appArmor}/defaultProfileName`]: "localhost/x",
    };
    const { object } = await groundOf([policy("p", {}, annotations)]).admit({
      resource: "pods",
      object: podWith(),
    });
    expect(object).toMatchObject({
      metadata: {
        annotations: { [`${seccomp}/pod`]: "runtime/default", [`container.${appArmor}/a`]: "localhost/x" },
      },
      spec: { securityContext: { seccompProfile: { type: "RuntimeDefault" } } },
    });
  });

  test("nothing where the pod says it itself", async () => {
    const spec = {
      runAsUser: { rule: "MustRunAs", ranges: [range(5, 9)] },
      seLinux: { rule: "MustRunAs", seLinuxOptions: { ...seLinuxOptions, level: "s0-s0:c2,c1" } },
    };
    const object = podWith({ securityContext: { runAsUser: 7, seLinuxOptions } });
    const { object: admitted } = await groundOf([policy("p", spec)]).admit({ resource: "pods", object });
    expect(admitted).toMatchObject({
      spec: { securityContext: { runAsUser: 7 }, containers: [{ name: "a" }] },
    });
    expect(admitted).not.toHaveProperty("spec.containers.0.securityContext");
  });
});

test("the token that pods get needs no more than secrets", async () => {
  const projected = {
    sources: [
      { serviceAccountToken: { path: "token" } },
      { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
      {
        downwardAPI: {
          items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
        },
      },
    ],
  };
  const ground = groundOf([policy("p", { volumes: ["secret"] })]);
  const refusalOf = async (source: object) =>
    (
      await ground.admit({
        resource: "pods",
        object: podWith({ volumes: [{ name: "v", projected: source }] }),
      })
    ).refusal;
  expect(await refusalOf(projected)).toBeUndefined();
  expect(await refusalOf({ sources: [{ serviceAccountToken: { path: "token", audience: "x" } }] })).toContain(
    "projected volumes",
  );
  expect(await refusalOf({ sources: [{ configMap: { name: "other" } }] })).toContain("projected volumes");
  expect(await refusalOf({ sources: [{ secret: { name: "s" } }] })).toContain("projected volumes");
});

describe("which policy", () => {
  const changing = { runAsUser: { rule: "MustRunAs", ranges: [range(5, 9)] } };
  const refusing = { volumes: [] };

  test.each([
    [[policy("b"), policy("a")], "a"],
    [[policy("a", changing), policy("b")], "b"],
    [[policy("b", changing), policy("a", changing)], "a"],
    [[policy("a", { runAsUser: { rule: "MustRunAs" } }), policy("b", changing)], "b"],
  ])("%j: %s", async (policies, name) => {
    const { annotations } = await groundOf(policies).admit({ resource: "pods", object: podWith() });
    expect(annotations["podsecuritypolicy.policy.k8s.io/admit-policy"]).toBe(name);
  });

  test("one that the user or the account of the pod may use", async () => {
    const asked: string[] = [];
    const ground = groundOf([policy("a"), policy("b", changing)], ({ name }, question) => {
      asked.push(`${name} ${question.verb} ${question.group} ${question.name} in ${question.namespace}`);
      return (
        name === "system:serviceaccount:ns:robot" && question.group === "extensions" && question.name === "b"
      );
    });
    const { annotations } = await ground.admit({
      resource: "pods",
      object: podWith({ serviceAccountName: "robot" }),
    });
    expect(annotations["podsecuritypolicy.policy.k8s.io/admit-policy"]).toBe("b");
    expect(asked.slice(0, 4)).toEqual([
      "system:serviceaccount:ns:robot use policy a in ns",
      "system:serviceaccount:ns:robot use extensions a in ns",
      "user use policy a in ns",
      "user use extensions a in ns",
    ]);
  });

  test("problems with policies that the user may not use stay hidden", async () => {
    const object = podWith({ volumes: [{ name: "v", emptyDir: {} }] });
    const ground = groundOf(
      [policy("a", refusing), policy("b", { volumes: ["secret"], privileged: true })],
      (_user, { name }) => name === "b",
    );
    expect((await ground.admit({ resource: "pods", object })).refusal).toBe(
      'pods "pod" is forbidden: PodSecurityPolicy: unable to admit pod: [spec.volumes[0]: Invalid value: "emptyDir": emptyDir volumes are not allowed to be used]',
    );
    const none = groundOf([policy("a")], () => false);
    expect((await none.admit({ resource: "pods", object })).refusal).toBe(
      'pods "pod" is forbidden: PodSecurityPolicy: unable to admit pod: []',
    );
  });

  test("without policies no pod is admitted", async () => {
    expect((await groundOf([]).admit({ resource: "pods", object: podWith() })).refusal).toBe(
      'pods "pod" is forbidden: PodSecurityPolicy: no providers available to validate pod request',
    );
  });
});

describe("updates", () => {
  const changing = policy("p", { runAsUser: { rule: "MustRunAs", ranges: [range(5, 9)] } });
  const running = podWith({ securityContext: { runAsUser: 5 } });

  test("change nothing, so that a pod must meet a policy as it is", async () => {
    const labelled = (pod: object) => ({ ...pod, metadata: { name: "pod", labels: { a: "b" } } });
    const admit = (object: object, old: object) =>
      groundOf([changing]).admit({ resource: "pods", object, old });
    const { refusal, annotations } = await admit(labelled(running), running);
    expect(refusal).toBeUndefined();
    expect(annotations).toEqual({ "podsecuritypolicy.policy.k8s.io/validate-policy": "p" });
    expect((await admit(labelled(podWith()), podWith())).refusal).toBe(
      'pods "pod" is forbidden: PodSecurityPolicy: unable to validate pod: []',
    );
  });

  test("of owners and finalizers alone pass", async () => {
    const object = { ...podWith(), metadata: { name: "pod", finalizers: ["a/b"] } };
    expect((await groundOf([]).admit({ resource: "pods", object, old: podWith() })).refusal).toBeUndefined();
  });

  test("of ephemeral containers are filled in and judged", async () => {
    const withEphemeral = (securityContext?: object) =>
      podWith({
        securityContext: { runAsUser: 5 },
        ephemeralContainers: [{ name: "debug", image: "d", ...(securityContext && { securityContext }) }],
      });
    const readOnly = policy("p", { readOnlyRootFilesystem: true, runAsUser: any });
    const old = podOfContainer(
      { securityContext: { readOnlyRootFilesystem: true } },
      { securityContext: { runAsUser: 5 } },
    );
    const grown = {
      ...podOfContainer(
        { securityContext: { readOnlyRootFilesystem: true } },
        { securityContext: { runAsUser: 5 }, ephemeralContainers: [{ name: "debug", image: "d" }] },
      ),
    };
    const filledIn = await groundOf([readOnly]).admit({
      resource: "pods/ephemeralcontainers",
      object: grown,
      old,
    });
    expect(filledIn.refusal).toBeUndefined();
    expect(filledIn.object).toMatchObject({
      spec: { ephemeralContainers: [{ securityContext: { readOnlyRootFilesystem: true } }] },
    });
    const privileged = await groundOf([changing]).admit({
      resource: "pods/ephemeralcontainers",
      object: withEphemeral({ privileged: true }),
      old: running,
    });
    expect(privileged.refusal).toContain("spec.ephemeralContainers[0].securityContext.privileged");
    // The other containers cannot be changed here.
    const other = await groundOf([readOnly]).admit({
      resource: "pods/ephemeralcontainers",
      object: withEphemeral(),
      old: running,
    });
    expect(other.refusal).toBe('pods "pod" is forbidden: PodSecurityPolicy: unable to admit pod: []');
  });

  test("of the status are not checked", async () => {
    const ground = groundOf([]);
    expect(
      (await ground.admit({ resource: "pods/status", object: podWith(), old: podWith() })).refusal,
    ).toBeUndefined();
    expect(
      (await ground.admit({ resource: "configmaps", object: { metadata: { name: "a" } } })).refusal,
    ).toBeUndefined();
  });
});

test("a pod of thousands of problems is refused in few words", async () => {
  const containers = Array.from({ length: 20_000 }, (_, index) => ({
    name: `c${index}`,
    image: "i",
    securityContext: { privileged: true },
  }));
  const { refusal } = await groundOf([policy("a"), policy("b")]).admit({
    resource: "pods",
    object: podWith({ containers }),
  });
  expect(refusal?.split("Privileged")).toHaveLength(101);
});

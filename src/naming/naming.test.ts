import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createNaming, parseProfileName, profileOfCommand } from "./naming.js";

const orch = createNaming("orch");
const kubernetes = createNaming("kubernetes");

describe("createNaming", () => {
  test.each([
    ["domain", "orch.io", "kubernetes.io"],
    ["vendorTitle", "Orch", "Kubernetes"],
    ["groupDomain", "orch.io", "k8s.io"],
    ["systemNamespace", "orch-system", "kube-system"],
    ["publicNamespace", "orch-public", "kube-public"],
    ["nodeLeaseNamespace", "orch-node-lease", "kube-node-lease"],
    ["apiServiceName", "orch", "kubernetes"],
    ["commandName", "orch-apiserver", "kube-apiserver"],
    ["protobufMediaType", "application/vnd.orch.protobuf", "application/vnd.kubernetes.protobuf"],
    ["certDirectory", "/var/run/orch", "/var/run/kubernetes"],
    ["rootCaConfigMapName", "orch-root-ca.crt", "kube-root-ca.crt"],
    ["extensionPrefix", "x-orch-", "x-kubernetes-"],
    ["storeBackend", "store3", "etcd3"],
    ["encryptedValuePrefix", "orch:enc:", "k8s:enc:"],
  ] as const)("%s is %s or %s", (key, inOrch, inKubernetes) => {
    expect(orch[key]).toBe(inOrch);
    expect(kubernetes[key]).toBe(inKubernetes);
  });

  test("health checks with a vendor word follow the profile", () => {
    expect(orch.healthChecks).toEqual({
      store: "store",
      admissionInitializer: "poststarthook/start-orch-apiserver-admission-initializer",
      aggregatorInformers: "poststarthook/start-orch-aggregator-informers",
      autoregistration: "poststarthook/orch-apiserver-autoregistration",
    });
    expect(kubernetes.healthChecks).toEqual({
      store: "etcd",
      admissionInitializer: "poststarthook/start-kube-apiserver-admission-initializer",
      aggregatorInformers: "poststarthook/start-kube-aggregator-informers",
      autoregistration: "poststarthook/kube-apiserver-autoregistration",
    });
  });

  test("users of the control plane follow the profile", () => {
    expect(orch.users.controllerManager).toBe("system:orch-controller-manager");
    expect(kubernetes.users.controllerManager).toBe("system:kube-controller-manager");
    expect(kubernetes.users.dns).toBe("system:kube-dns");
  });
});

describe("group", () => {
  test.each(["", "apps", "autoscaling", "batch", "policy", "example.com", "stable"])(
    "%j has no vendor part and passes through",
    (group) => {
      for (const naming of [orch, kubernetes]) {
        expect(naming.group(group)).toBe(group);
        expect(naming.groupStem(group)).toBe(group);
      }
    },
  );

  test.each(["rbac.authorization", "meta", "flowcontrol.apiserver", "internal.apiserver", "storage"])(
    "%s takes the profile's domain and gives it back",
    (stem) => {
      expect(orch.group(stem)).toBe(`${stem}.orch.io`);
      expect(kubernetes.group(stem)).toBe(`${stem}.k8s.io`);
      expect(kubernetes.groupStem(kubernetes.group(stem))).toBe(stem);
    },
  );

  test("the other profile's and a stranger's groups are left alone", () => {
    expect(orch.groupStem("storage.k8s.io")).toBe("storage.k8s.io");
    expect(kubernetes.groupStem("snapshot.storage.k8s.io")).toBe("snapshot.storage.k8s.io");
  });
});

test("fields and gates are translated from their neutral names", () => {
  expect(orch.field("nodeagentVersion")).toBe("nodeagentVersion");
  expect(kubernetes.field("nodeagentVersion")).toBe("kubeletVersion");
  expect(kubernetes.field("orchProxyVersion")).toBe("kubeProxyVersion");
  expect(kubernetes.field("x-orch-int-or-string")).toBe("x-kubernetes-int-or-string");
  expect(kubernetes.field("spec")).toBe("spec");
  expect(kubernetes.featureGate("RotateNodeAgentServerCertificate")).toBe("RotateKubeletServerCertificate");
  expect(orch.featureGate("NodeAgentPodResources")).toBe("NodeAgentPodResources");
});

test("groups under the vendor's own domains are protected, look-alikes are not", () => {
  expect(kubernetes.isProtectedGroup("snapshot.storage.k8s.io")).toBe(true);
  expect(kubernetes.isProtectedGroup("k8s.io")).toBe(true);
  expect(kubernetes.isProtectedGroup("x.kubernetes.io")).toBe(true);
  expect(kubernetes.isProtectedGroup("notk8s.io")).toBe(false);
  expect(orch.isProtectedGroup("snapshot.storage.k8s.io")).toBe(false);
  expect(orch.isProtectedGroup("x.orch.io")).toBe(true);
});

test("only the two profile names parse", () => {
  expect(parseProfileName("orch")).toBe("orch");
  expect(parseProfileName("kubernetes")).toBe("kubernetes");
  expect(parseProfileName("Orch")).toBeUndefined();
});

test("options have Kubernetes' names as aliases in its profile only", () => {
  expect(kubernetes.optionAlias("store-servers")).toBe("etcd-servers");
  expect(kubernetes.optionAlias("nodeagent-timeout")).toBe("kubelet-timeout");
  expect(kubernetes.optionAlias("orch-service-node-port")).toBe("kubernetes-service-node-port");
  expect(kubernetes.optionAlias("secure-port")).toBeUndefined();
  expect(orch.optionAlias("store-servers")).toBeUndefined();
});

test("the command's name tells the profile", () => {
  expect(profileOfCommand("orch-apiserver")).toBe("orch");
  expect(profileOfCommand("kube-apiserver")).toBe("kubernetes");
  expect(profileOfCommand("main.ts")).toBe("orch");
});

test("docs/profiles.md has every name of the table", () => {
  const page = readFileSync(new URL("../../docs/profiles.md", import.meta.url), "utf8");
  for (const naming of [orch, kubernetes]) {
    const words = [naming, naming.users, naming.healthChecks].flatMap((part): unknown[] =>
      Object.values(part),
    );
    const missing = words.filter((word) => typeof word === "string" && !page.includes(word));
    expect(missing).toEqual([]);
  }
});

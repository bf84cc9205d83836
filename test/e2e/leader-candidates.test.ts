import { afterEach, expect, test } from "vitest";
import type { ApiLevel } from "../../src/apimachinery/levels/api-level.js";
import { clientBinaries } from "../support/client-binaries.js";
import { type InProcessServer, startInProcess } from "../support/in-process-server.js";
import { runClient } from "../support/run-client.js";
import { TestAuthority } from "../support/test-authority.js";

const { kubectlCurrent } = clientBinaries();
let server: InProcessServer | undefined;

afterEach(async () => {
  await server?.dispose();
  server = undefined;
});

async function startAt(
  apiLevel: ApiLevel,
  apis: readonly string[],
  gate: readonly ["CoordinatedLeaderElection" | "ClusterTrustBundle", boolean],
) {
  server = await startInProcess({
    apiLevel,
    runtimeConfig: new Map(apis.map((api) => [api, "true"])),
    featureGates: new Map([gate]),
    lab: true,
  });
  const { kubeconfig, directory } = server;
  return async (args: string, input: object = {}) => {
    const options = { kubeconfig, home: directory, input: JSON.stringify(input) };
    const { stdout, stderr } = await runClient(kubectlCurrent, args.split(" "), options);
    return stdout + stderr;
  };
}

const microTimeNow = () => new Date().toISOString().replace("Z", "000Z");

function candidate(apiVersion: string, name: string, emulationVersion: string, strategies: object) {
  const renewTime = microTimeNow();
  return {
    apiVersion,
    kind: "LeaseCandidate",
    metadata: { name, namespace: "default" },
    spec: { leaseName: "component", binaryVersion: "1.36.0", emulationVersion, renewTime, ...strategies },
  };
}

const leasesOf = (namespace: string) => `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;

async function leaderOfElections(): Promise<string> {
  const found = await server?.api.get(`${leasesOf("kube-system")}/leader-election-controller`);
  return found?.body.spec?.holderIdentity ?? "";
}

test.each<[ApiLevel, string]>([
  ["1.31", "v1alpha1"],
  ["1.32", "v1alpha2"],
  ["1.35", "v1beta1"],
  ["1.36", "v1beta1"],
])("at %s a lease goes to one of its candidates", async (level, version) => {
  const api = `coordination.k8s.io/${version}`;
  const kubectl = await startAt(level, [api], ["CoordinatedLeaderElection", true]);
  const strategy = "OldestEmulationVersion";
  const strategies = version === "v1alpha1" ? { preferredStrategies: [strategy] } : { strategy };
  await expect.poll(leaderOfElections).not.toBe("");
  // A lease that is over goes to another at once, and a busy machine may stand still for longer than its five seconds.
  expect((await server?.api.ask("POST", "/lab/clock/freeze"))?.status).toBe(200);
  expect(await kubectl("create -f -", candidate(api, "new", "1.36.0", strategies))).toContain(
    "leasecandidate.coordination.k8s.io/new created",
  );
  const lease = async () => {
    const found = await server?.api.get(`${leasesOf("default")}/component`);
    const { holderIdentity = "", preferredHolder = "", strategy: chosen = "" } = found?.body.spec ?? {};
    return `${holderIdentity}:${preferredHolder}:${chosen}`;
  };
  await expect.poll(lease).toBe(`new::${strategy}`);
  const path = `/apis/${api}/namespaces/default/leasecandidates`;
  expect((await server?.api.post(path, candidate(api, "old", "1.35.0", strategies)))?.status).toBe(201);
  await expect.poll(lease).toBe(`new:old:${strategy}`);
  expect(await kubectl("get leasecandidates")).toMatch(
    /^NAME +LEASENAME +BINARYVERSION +EMULATIONVERSION +AGE\nnew +component +1\.36\.0 +1\.36\.0 +\d+s\nold +component +1\.36\.0 +1\.35\.0 +\d+s\n/,
  );
  expect(
    await kubectl(
      "get lease -n kube-system leader-election-controller -o jsonpath={.spec.leaseDurationSeconds}",
    ),
  ).toBe("15");
  expect(await kubectl("get --raw /readyz?verbose")).toContain(
    "poststarthook/start-kube-apiserver-coordinated-leader-election-controller ok",
  );
});

test("there are no candidates at 1.30, and without the gate nobody elects", async () => {
  server = await startInProcess({ apiLevel: "1.30", runtimeConfig: new Map([["api/all", "true"]]) });
  const before = await server.api.get("/apis/coordination.k8s.io");
  expect(before.body.versions).toEqual([{ groupVersion: "coordination.k8s.io/v1", version: "v1" }]);
  await server.dispose();
  const api = "coordination.k8s.io/v1beta1";
  const kubectl = await startAt("1.35", [api], ["CoordinatedLeaderElection", false]);
  await kubectl("create -f -", candidate(api, "new", "1.36.0", { strategy: "OldestEmulationVersion" }));
  expect(await kubectl("get leasecandidates -o name")).toBe("leasecandidate.coordination.k8s.io/new\n");
  expect(await kubectl("get leases -A -o name")).not.toMatch(/component|leader-election-controller/);
});

test("a bundle of trust is made, shown and found by its signer", async () => {
  const kubectl = await startAt("1.35", ["certificates.k8s.io/v1beta1"], ["ClusterTrustBundle", true]);
  const bundle = (name: string, spec: object) => ({
    apiVersion: "certificates.k8s.io/v1beta1",
    kind: "ClusterTrustBundle",
    metadata: { name },
    spec,
  });
  const { caPem: trustBundle } = await TestAuthority.create("signer");
  const signerName = "example.org/signer";
  expect(await kubectl("apply -f -", bundle("example.org:signer:a", { signerName, trustBundle }))).toBe(
    "clustertrustbundle.certificates.k8s.io/example.org:signer:a created\n",
  );
  expect(await kubectl("apply -f -", bundle("plain", { trustBundle }))).toContain("/plain created");
  expect(await kubectl("get clustertrustbundles")).toMatch(
    /^NAME +SIGNERNAME\nexample\.org:signer:a +example\.org\/signer\nplain +<none>\n$/,
  );
  expect(
    await kubectl(`get clustertrustbundles -o name --field-selector=spec.signerName=${signerName}`),
  ).toBe("clustertrustbundle.certificates.k8s.io/example.org:signer:a\n");
  expect(await kubectl("apply -f -", bundle("broken", { trustBundle: "no PEM" }))).toContain(
    "spec.trustBundle: Invalid value",
  );
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testSigningRequest } from "../../src/admission/testing/signing-request.js";
import { type ApiAnswer, ApiClient, type AskOptions } from "../support/api-client.js";
import { clientBinaries } from "../support/client-binaries.js";
import { jsonPatch, mergePatch, until } from "../support/fixtures.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { clientConfigText, type RemotePeer, startRemotePeer } from "../support/remote-peer.js";
import { runClient } from "../support/run-client.js";
import { disposeAll } from "../support/server-process.js";
import { TestAuthority } from "../support/test-authority.js";

const directory = mkdtempSync(join(tmpdir(), "admission-plugins-"));
const servers: ServerHere[] = [];
const clients: ApiClient[] = [];

afterAll(async () => {
  for (const client of clients) await client.close();
  await disposeAll(servers);
  rmSync(directory, { recursive: true, force: true });
});

async function start(...args: readonly string[]): Promise<ApiClient> {
  const server = await startServerHere({ args });
  servers.push(server);
  const client = new ApiClient(server);
  clients.push(client);
  await until(
    () => client.get("/api/v1/namespaces/default/serviceaccounts/default"),
    ({ status }) => status === 200,
  );
  return client;
}

interface As {
  readonly user: string;
  readonly group?: string;
}

/** Sends the request as another user, as the administrator may. */
function headersOf({ user, group }: As): Record<string, string> {
  return { "impersonate-user": user, ...(group !== undefined && { "impersonate-group": group }) };
}

const core = "/api/v1/namespaces/default";
const pod = (name: string, spec: object = {}, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  spec: { containers: [{ name: "a", image: "a" }], ...spec },
});

describe("plugins that are on by default", () => {
  let api: ApiClient;
  const post = (path: string, body: object, options: AskOptions = {}) =>
    api.ask("POST", path, { ...options, body });
  const made = async (path: string, body: object): Promise<ApiAnswer["body"]> => {
    const answer = await post(path, body);
    expect(answer.status, answer.text).toBe(201);
    return answer.body;
  };

  beforeAll(async () => {
    // RBAC decides who may approve and sign.
    api = await start("--authorization-mode=RBAC");
  });

  test("NamespaceLifecycle: nothing new in namespaces that are missing, and some stay", async () => {
    const missing = await post("/api/v1/namespaces/nowhere/configmaps", { metadata: { name: "a" } });
    expect([missing.status, missing.body.message]).toEqual([404, 'namespaces "nowhere" not found']);
    const kept = await api.ask("DELETE", "/api/v1/namespaces/kube-system");
    expect([kept.status, kept.body.message]).toEqual([
      403,
      'namespaces "kube-system" is forbidden: this namespace may not be deleted',
    ]);
  });

  test("TaintNodesByCondition: a new node is not ready", async () => {
    const { spec } = await made("/api/v1/nodes", { metadata: { name: "fresh" } });
    expect(spec.taints).toEqual([{ key: "node.kubernetes.io/not-ready", effect: "NoSchedule" }]);
  });

  test("Priority: classes become numbers, the default one is unique", async () => {
    const classes = "/apis/scheduling.k8s.io/v1/priorityclasses";
    await made(classes, { metadata: { name: "high" }, value: 1000 });
    await made(classes, { metadata: { name: "usual" }, value: 5, globalDefault: true });
    expect(await made(`${core}/pods`, pod("high", { priorityClassName: "high" }))).toMatchObject({
      spec: { priority: 1000 },
    });
    expect(await made(`${core}/pods`, pod("usual"))).toMatchObject({
      spec: { priority: 5, priorityClassName: "usual" },
    });
    const unknown = await post(`${core}/pods`, pod("unknown", { priorityClassName: "nothing" }));
    expect(unknown.body.message).toBe(
      'pods "unknown" is forbidden: no PriorityClass with name nothing was found',
    );
    const second = await post(classes, { metadata: { name: "second" }, value: 6, globalDefault: true });
    expect(second.status).toBe(403);
    expect((await api.ask("DELETE", `${classes}/usual`)).status).toBe(200);
  });

  test("DefaultStorageClass and PersistentVolumeClaimResize: claims get the default class, and grow by it", async () => {
    const classes = "/apis/storage.k8s.io/v1/storageclasses";
    const isDefault = { "storageclass.kubernetes.io/is-default-class": "true" };
    const of = (name: string, fields: object, annotations = {}) => ({
      metadata: { name, annotations },
      provisioner: "example.com/p",
      ...fields,
    });
    await made(classes, of("usual", { allowVolumeExpansion: true }, isDefault));
    await made(classes, of("fixed", {}));
    const claim = (name: string, spec: object = {}) => ({
      metadata: { name },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
    });
    const claims = `${core}/persistentvolumeclaims`;
    const { spec } = await made(claims, claim("grows"));
    expect(spec.storageClassName).toBe("usual");
    await made(claims, claim("stays", { storageClassName: "fixed" }));
    const grow = async (name: string): Promise<ApiAnswer> => {
      const status = { status: { phase: "Bound", capacity: { storage: "1Gi" } } };
      await api.ask("PATCH", `${claims}/${name}/status`, { body: status, contentType: mergePatch });
      await api.ask("PATCH", `${claims}/${name}`, {
        body: { spec: { volumeName: "v" } },
        contentType: mergePatch,
      });
      return await api.ask("PATCH", `${claims}/${name}`, {
        body: { spec: { resources: { requests: { storage: "2Gi" } } } },
        contentType: mergePatch,
      });
    };
    expect(await grow("grows")).toMatchObject({ status: 200 });
    expect((await grow("stays")).body.message).toBe(
      'persistentvolumeclaims "stays" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
  });

  test("DefaultIngressClass: ingresses get the default class", async () => {
    await made("/apis/networking.k8s.io/v1/ingressclasses", {
      metadata: { name: "usual", annotations: { "ingressclass.kubernetes.io/is-default-class": "true" } },
      spec: { controller: "example.com/c" },
    });
    const { spec } = await made("/apis/networking.k8s.io/v1/namespaces/default/ingresses", {
      metadata: { name: "i" },
      spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } },
    });
    expect(spec.ingressClassName).toBe("usual");
  });

  test("RuntimeClass: overhead and scheduling of the class", async () => {
    await made("/apis/node.k8s.io/v1/runtimeclasses", {
      metadata: { name: "boxed" },
      handler: "boxed",
      overhead: { podFixed: { cpu: "10m" } },
      scheduling: { nodeSelector: { boxes: "yes" } },
    });
    expect(await made(`${core}/pods`, pod("boxed", { runtimeClassName: "boxed" }))).toMatchObject({
      spec: { overhead: { cpu: "10m" }, nodeSelector: { boxes: "yes" } },
    });
    const refused = await post(`${core}/pods`, pod("unboxed", { runtimeClassName: "other" }));
    expect(refused.body.message).toBe(
      'pods "unboxed" is forbidden: pod rejected: RuntimeClass "other" not found',
    );
  });

  test("CertificateApproval, CertificateSigning, CertificateSubjectRestriction: rights over signers", async () => {
    const requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
    const rbac = "/apis/rbac.authorization.k8s.io/v1";
    await made(`${rbac}/clusterroles`, {
      metadata: { name: "requests" },
      rules: [
        {
          verbs: ["*"],
          apiGroups: ["certificates.k8s.io"],
          resources: [
            "certificatesigningrequests",
            "certificatesigningrequests/approval",
            "certificatesigningrequests/status",
          ],
        },
      ],
    });
    await made(`${rbac}/clusterrolebindings`, {
      metadata: { name: "requests" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "requests" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "clerk" }],
    });
    const of = async (name: string, signerName: string, organization: string) => ({
      metadata: { name },
      spec: {
        request: await testSigningRequest({ organizations: [organization] }),
        signerName,
        usages: ["client auth"],
      },
    });
    await made(requests, await of("r", "example.com/s", "team"));
    const headers = headersOf({ user: "clerk" });
    const approve = (options: AskOptions = {}) =>
      api.ask("PATCH", `${requests}/r/approval`, {
        ...options,
        contentType: mergePatch,
        body: { status: { conditions: [{ type: "Approved", status: "True", reason: "r" }] } },
      });
    const refused = await approve({ headers });
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'certificatesigningrequests.certificates.k8s.io "r" is forbidden: user not permitted to approve requests with signerName "example.com/s"',
    ]);
    expect((await approve()).status).toBe(200);
    const authority = await TestAuthority.create("signer");
    const { certPem } = await authority.issue({ commonName: "r", usage: "client" });
    const certificate = Buffer.from(certPem).toString("base64");
    const signed = await api.ask("PATCH", `${requests}/r/status`, {
      headers,
      contentType: mergePatch,
      body: { status: { certificate } },
    });
    expect(signed.body.message).toBe(
      'certificatesigningrequests.certificates.k8s.io "r" is forbidden: user not permitted to sign requests with signerName "example.com/s"',
    );
    const masters = await post(
      requests,
      await of("m", "kubernetes.io/kube-apiserver-client", "system:masters"),
    );
    expect(masters.body.message).toContain("system:masters");
    expect(masters.status).toBe(403);
  });
});

describe("plugins that have to be enabled", () => {
  let api: ApiClient;
  const post = (path: string, body: object, options: AskOptions = {}) =>
    api.ask("POST", path, { ...options, body });
  const messageOf = async (answer: Promise<ApiAnswer>) => {
    const { status, body } = await answer;
    return status < 300 ? status : body.message;
  };

  beforeAll(async () => {
    const config = join(directory, "tolerations.json");
    const tolerations = {
      apiVersion: "podtolerationrestriction.admission.k8s.io/v1alpha1",
      kind: "Configuration",
      default: [{ key: "cluster", operator: "Exists" }],
    };
    const plugins = [{ name: "PodTolerationRestriction", configuration: tolerations }];
    writeFileSync(
      config,
      JSON.stringify({ apiVersion: "apiserver.config.k8s.io/v1", kind: "AdmissionConfiguration", plugins }),
    );
    api = await start(
      `--admission-control-config-file=${config}`,
      "--enable-admission-plugins=AlwaysAdmit,NamespaceExists,SecurityContextDeny,LimitPodHardAntiAffinityTopology,NodeRestriction,PodTolerationRestriction,ExtendedResourceToleration,PersistentVolumeLabel,OwnerReferencesPermissionEnforcement",
      // It says the same of creates.
      "--disable-admission-plugins=NamespaceLifecycle",
      "--authorization-mode=RBAC",
    );
    for (const [name, rules] of [
      ["maps", [{ verbs: ["create", "get", "update", "patch"], apiGroups: [""], resources: ["configmaps"] }]],
      ["nodes", [{ verbs: ["*"], apiGroups: [""], resources: ["nodes", "pods"] }]],
    ] as const) {
      await post("/apis/rbac.authorization.k8s.io/v1/clusterroles", { metadata: { name }, rules });
      await post("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
        metadata: { name },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
        subjects: [
          { apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "writer" },
          { apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "system:nodes" },
        ],
      });
    }
  });

  test("NamespaceExists: nothing is written where no namespace is", async () => {
    const answer = post("/api/v1/namespaces/nowhere/configmaps", { metadata: { name: "a" } });
    expect(await messageOf(answer)).toBe('namespaces "nowhere" not found');
  });

  test("SecurityContextDeny: no users of a pod's choice", async () => {
    const answer = post(`${core}/pods`, pod("root", { securityContext: { runAsUser: 0 } }));
    expect(await messageOf(answer)).toBe(
      'pods "root" is forbidden: pod.Spec.SecurityContext.RunAsUser is forbidden',
    );
  });

  test("LimitPodHardAntiAffinityTopology: only host names", async () => {
    const term = { labelSelector: {}, topologyKey: "zone" };
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    expect(await messageOf(post(`${core}/pods`, pod("apart", { affinity })))).toContain(
      "affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key kubernetes.io/hostname is allowed",
    );
  });

  test("PodTolerationRestriction and ExtendedResourceToleration: tolerations of the cluster and for devices", async () => {
    const resources = { limits: { "example.com/gpu": "1" }, requests: { "example.com/gpu": "1" } };
    const { body } = await post(
      `${core}/pods`,
      pod("gpu", { containers: [{ name: "a", image: "a", resources }] }),
    );
    expect(body.spec.tolerations).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ key: "cluster", operator: "Exists" }),
        expect.objectContaining({ key: "example.com/gpu", operator: "Exists" }),
      ]),
    );
  });

  test("PersistentVolumeLabel: no volumes of clouds without their zones", async () => {
    const volume = {
      metadata: { name: "disk" },
      spec: {
        accessModes: ["ReadWriteOnce"],
        capacity: { storage: "1Gi" },
        awsElasticBlockStore: { volumeID: "v" },
      },
    };
    expect((await post("/api/v1/persistentvolumes", volume)).status).toBe(403);
  });

  test("NodeRestriction: a node changes itself alone", async () => {
    const headers = headersOf({ user: "system:node:mine", group: "system:nodes" });
    expect(await messageOf(post("/api/v1/nodes", { metadata: { name: "mine" } }, { headers }))).toBe(201);
    expect(await messageOf(post("/api/v1/nodes", { metadata: { name: "other" } }, { headers }))).toBe(
      'nodes "other" is forbidden: node "mine" is not allowed to modify node "other"',
    );
    expect(await messageOf(post(`${core}/pods`, pod("p"), { headers }))).toBe(
      'pods "p" is forbidden: pod does not have "kubernetes.io/config.mirror" annotation, node "mine" can only create mirror pods',
    );
  });

  test("OwnerReferencesPermissionEnforcement: who cannot delete cannot give away", async () => {
    const headers = headersOf({ user: "writer" });
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "1" };
    await post(`${core}/configmaps`, { metadata: { name: "owned" } });
    const body = [{ op: "add", path: "/metadata/ownerReferences", value: [owner] }];
    const patch = (options: AskOptions) =>
      api.ask("PATCH", `${core}/configmaps/owned`, { ...options, body, contentType: jsonPatch });
    expect(await messageOf(patch({ headers }))).toContain(
      "cannot set an ownerRef on a resource you can't delete",
    );
    expect(await messageOf(patch({}))).toBe(200);
  });
});

test("NamespaceAutoProvision: a namespace comes with its first object", async () => {
  const api = await start("--enable-admission-plugins=NamespaceAutoProvision");
  const answer = await api.ask("POST", "/api/v1/namespaces/new/configmaps", {
    body: { metadata: { name: "a" } },
  });
  expect(answer.status).toBe(201);
  expect((await api.get("/api/v1/namespaces/new")).status).toBe(200);
});

test("AlwaysDeny: nothing is written", async () => {
  const server = await startServerHere({ args: ["--enable-admission-plugins=AlwaysDeny"] });
  servers.push(server);
  const api = new ApiClient(server);
  clients.push(api);
  const answer = await api.ask("POST", `${core}/configmaps`, { body: { metadata: { name: "a" } } });
  expect([answer.status, answer.body.message]).toEqual([
    403,
    'configmaps "a" is forbidden: admission control is denying all modifications',
  ]);
});

describe("PodSecurityPolicy and ImagePolicyWebhook", () => {
  let api: ApiClient;
  let images: RemotePeer;
  let server: ServerHere;
  const kubectl = (args: readonly string[], input?: object) =>
    runClient(clientBinaries().kubectl123, args, {
      kubeconfig: server.kubeconfig,
      home: directory,
      ...(input !== undefined && { input: JSON.stringify(input) }),
    });

  beforeAll(async () => {
    const authority = await TestAuthority.create("images");
    images = await startRemotePeer({ authority }, ({ body }) => {
      const review = JSON.parse(body);
      const denied = review.spec.containers.some(({ image }: { image: string }) => image.startsWith("bad/"));
      return {
        body: { ...review, status: denied ? { allowed: false, reason: "bad/ is bad" } : { allowed: true } },
      };
    });
    const clientConfig = join(directory, "images.kubeconfig");
    writeFileSync(clientConfig, clientConfigText({ server: images.url, caPem: authority.caPem }));
    // The file of the plugin alone, as it was before there was an AdmissionConfiguration.
    const config = join(directory, "images.yaml");
    writeFileSync(
      config,
      `imagePolicy:\n  kubeConfigFile: ${clientConfig}\n  allowTTL: 50\n  retryBackoff: 1\n`,
    );
    api = await start(
      "--authorization-mode=RBAC",
      "--enable-admission-plugins=PodSecurityPolicy,ImagePolicyWebhook",
      `--admission-control-config-file=${config}`,
    );
    server = servers[servers.length - 1] as ServerHere;
  });

  afterAll(async () => {
    await images?.close();
  });

  test("pods meet a policy that their account may use, which fills in the rest", async () => {
    const none = await kubectl(["run", "early", "--image=good"]);
    expect(none.stderr).toContain(
      'pods "early" is forbidden: PodSecurityPolicy: no providers available to validate pod request',
    );
    const any = { rule: "RunAsAny" };
    const policies = ["restricted", "loose"].map((name) => ({
      apiVersion: "policy/v1beta1",
      kind: "PodSecurityPolicy",
      metadata: { name },
      spec: {
        seLinux: any,
        supplementalGroups: any,
        fsGroup: any,
        runAsUser: name === "loose" ? any : { rule: "MustRunAs", ranges: [{ min: 1000, max: 2000 }] },
        hostPID: name === "loose",
        ...(name === "restricted" && { requiredDropCapabilities: ["ALL"] }),
        volumes: ["secret", "configMap"],
      },
    }));
    const applied = await kubectl(["apply", "-f", "-"], { apiVersion: "v1", kind: "List", items: policies });
    expect(applied.stderr).toContain("PodSecurityPolicy is deprecated in v1.21+, unavailable in v1.25+");
    expect(applied.status).toBe(0);
    await kubectl(["create", "serviceaccount", "robot"]);
    await kubectl([
      "create",
      "role",
      "use-restricted",
      "--verb=use",
      "--resource=podsecuritypolicies.policy",
      "--resource-name=restricted",
    ]);
    await kubectl([
      "create",
      "rolebinding",
      "use-restricted",
      "--role=use-restricted",
      "--serviceaccount=default:robot",
    ]);
    await kubectl(["create", "role", "pods", "--verb=create", "--resource=pods"]);
    await kubectl(["create", "rolebinding", "pods", "--role=pods", "--user=maker"]);

    const make = (name: string, container: object) =>
      kubectl(["create", "--as=maker", "-f", "-", "-o", "json"], {
        apiVersion: "v1",
        kind: "Pod",
        ...pod(name, {
          serviceAccountName: "robot",
          containers: [{ name: "a", image: "good", ...container }],
        }),
      });
    const made = await make("made", {});
    expect(made.stderr).toBe("");
    expect(JSON.parse(made.stdout)).toMatchObject({
      metadata: { annotations: { "kubernetes.io/psp": "restricted" } },
      spec: { containers: [{ securityContext: { runAsUser: 1000, capabilities: { drop: ["ALL"] } } }] },
    });
    const refused = await make("refused", { securityContext: { privileged: true } });
    expect(refused.stderr).toContain(
      'pods "refused" is forbidden: PodSecurityPolicy: unable to admit pod: [spec.containers[0].securityContext.privileged: Invalid value: true: Privileged containers are not allowed]',
    );
    // The administrator may use every policy; the one that changes nothing goes first.
    const asked = pod("admin", { hostPID: true, containers: [{ name: "a", image: "good" }] });
    const { body } = await api.ask("POST", `${core}/pods`, { body: asked });
    expect(body.metadata.annotations["kubernetes.io/psp"]).toBe("loose");
    // An update is judged by the same policy.
    const labelled = await kubectl(["label", "pod", "made", "a=b"]);
    expect(labelled.stderr).toBe("");
  });

  test("images are reviewed, and answers are kept", async () => {
    const asked = images.requests.length;
    for (const name of ["one", "two"]) {
      const { status } = await api.ask("POST", `${core}/pods`, {
        body: pod(name, { containers: [{ name: "a", image: "good/image" }] }),
      });
      expect(status).toBe(201);
    }
    expect(images.requests.length).toBe(asked + 1);
    expect(JSON.parse(images.requests[asked]?.body ?? "")).toMatchObject({
      kind: "ImageReview",
      apiVersion: "imagepolicy.k8s.io/v1alpha1",
      spec: { containers: [{ image: "good/image" }], namespace: "default" },
    });
    const refused = await kubectl(["run", "bad", "--image=bad/image"]);
    expect(refused.stderr).toContain(
      'pods "bad" is forbidden: image policy webhook backend denied one or more images: bad/ is bad',
    );
    const patch = { spec: { ephemeralContainers: [{ name: "debug", image: "bad/debug" }] } };
    const debug = await api.ask("PATCH", `${core}/pods/one/ephemeralcontainers`, {
      body: patch,
      contentType: "application/strategic-merge-patch+json",
    });
    expect([debug.status, debug.body.message]).toEqual([
      403,
      'pods "one" is forbidden: image policy webhook backend denied one or more images: bad/ is bad',
    ]);
    images.disconnect();
    await images.close();
    const away = await kubectl(["run", "away", "--image=unheard/of"]);
    expect(away.stderr).toContain('pods "away" is forbidden: ');
  });

  test.each([
    ["imagePolicy: {}", 'couldn\'t init admission plugin "ImagePolicyWebhook": imagePolicy.kubeConfigFile'],
    ["imagePolicy: {kubeConfigFile: /nonexistent}", 'couldn\'t init admission plugin "ImagePolicyWebhook"'],
  ])("the configuration %s is one clear line and status 1", async (text, message) => {
    const config = join(directory, "wrong.yaml");
    writeFileSync(config, text);
    const args = [
      "--enable-admission-plugins=ImagePolicyWebhook",
      `--admission-control-config-file=${config}`,
    ];
    await expect(startServerHere({ args })).rejects.toThrow(message);
  });
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { boatDefinition } from "../support/boat-definition.js";
import { clientBinaries } from "../support/client-binaries.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";
import { type ClientRun, runClient } from "../support/run-client.js";

/** What the kubectl of 1.35 does with servers of its own level and of the next one. */

const { kubectlCurrent } = clientBinaries();

const pod = `
apiVersion: v1
kind: Pod
metadata:
  name: solo
  annotations: {simulation.orch.io/exec: '{"hostname": "solo\\n"}'}
spec: {containers: [{name: main, image: nginx, resources: {requests: {cpu: 100m}}}]}
`;
const boat = (colour: string): string => `
apiVersion: example.com/v1
kind: Boat
metadata: {name: sloop}
spec: {colour: ${colour}}
`;

describe.each(["1.35", "1.36"])("at %s", (level) => {
  let server: ServerHere;
  let api: ApiClient;
  let home: string;
  const run = (args: string, input?: string): Promise<ClientRun> =>
    runClient(kubectlCurrent, args.split(" "), {
      kubeconfig: server.kubeconfig,
      home,
      ...(input !== undefined && { input }),
    });
  /** The standard output of what must succeed. */
  const ok = async (args: string, input?: string): Promise<string> => {
    const { status, stdout, stderr } = await run(args, input);
    expect({ args, status, stderr: status === 0 ? "" : stderr }).toEqual({ args, status: 0, stderr: "" });
    return stdout;
  };

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), "kubectl-levels-"));
    server = await startServerHere({ profile: "kubernetes", args: [`--api-level=${level}`, "--simulate"] });
    api = new ApiClient(server);
    await ok("apply -f -", JSON.stringify(boatDefinition()));
    await ok("wait --for=condition=Established crd/boats.example.com --timeout=20s");
    await ok("create -f -", pod);
    await ok("wait --for=condition=Ready pod/solo --timeout=60s");
  }, 120_000);

  afterAll(async () => {
    await api?.close();
    await server?.dispose();
    rmSync(home, { recursive: true, force: true });
  });

  test("auth whoami tells who asks, and as whom", async () => {
    expect(await ok("auth whoami")).toMatch(/^ATTRIBUTE +VALUE\nUsername +\S+\nGroups +\[system:masters /);
    const review = JSON.parse(await ok("auth whoami --as=jane --as-user-extra=team=a -o json"));
    expect(review.status.userInfo).toMatchObject({ username: "jane", extra: { team: ["a"] } });
  });

  test("explain describes built-in and custom kinds from the third version of OpenAPI", async () => {
    const field = await ok("explain pods.spec.containers.resizePolicy");
    expect(field).toMatch(/^KIND: +Pod\nVERSION: +v1\n\nFIELD: resizePolicy <\[\]ContainerResizePolicy>\n/);
    expect(await ok("explain deployments")).toMatch(/^GROUP: +apps\nKIND: +Deployment\nVERSION: +v1\n/);
    const custom = await ok("explain boats.spec --recursive");
    expect(custom).toMatch(/^GROUP: +example.com\nKIND: +Boat\n/);
    expect(custom).toContain("\n  colour\t<string>\n");
    expect((await run("explain boats.spec.nothing")).stderr).toContain('field "nothing" does not exist');
  });

  test("debug adds a container to a pod that runs", async () => {
    await ok("debug solo --image=busybox -c helper --profile=general --attach=false --quiet");
    expect(await ok("get pod solo -o jsonpath={.spec.ephemeralContainers[*].name}")).toBe("helper");
    await ok("debug solo --image=busybox --copy-to=copied --profile=restricted --attach=false --quiet");
    const copied = JSON.parse(await ok("get pod copied -o json"));
    expect(copied.spec.containers).toHaveLength(2);
  });

  test("a running pod gets other resources", async () => {
    const patch = `{"spec":{"containers":[{"name":"main","resources":{"requests":{"cpu":"200m"}}}]}}`;
    await ok(`patch pod solo --subresource=resize -p ${patch}`);
    await expect
      .poll(() => ok("get pod solo -o jsonpath={.status.containerStatuses[0].resources.requests.cpu}"))
      .toBe("200m");
  });

  test("exec runs in the simulated container, logs and events are read", async () => {
    expect(await ok("exec solo -c main -- hostname")).toBe("solo\n");
    await ok("logs solo -c main");
    await expect.poll(() => ok("events --for=pod/solo")).toMatch(/Scheduled +Pod\/solo +/);
  });

  test("diff shows what apply would change, and apply --server-side changes it", async () => {
    await ok("apply --server-side -f -", boat("red"));
    const { status, stdout } = await run("diff --server-side -f -", boat("blue"));
    expect(status).toBe(1);
    expect(stdout).toMatch(/^- {2}colour: red\n\+ {2}colour: blue$/m);
    expect((await run("diff --server-side -f -", boat("red"))).status).toBe(0);
    const other = await run("apply --server-side --field-manager=other -f -", boat("blue"));
    expect(other.stderr).toContain('conflict with "kubectl": .spec.colour');
    await ok("apply --server-side --field-manager=other --force-conflicts -f -", boat("blue"));
    expect(await ok("get boat sloop -o jsonpath={.spec.colour}")).toBe("blue");
  });

  test("create token makes one for a pod, with which its account asks", async () => {
    const token = (
      await ok("create token default --duration=10m --bound-object-kind=Pod --bound-object-name=solo")
    ).trim();
    const review = { spec: { token } };
    const { body } = await api.post("/apis/authentication.k8s.io/v1/tokenreviews", review);
    expect(body.status).toMatchObject({
      authenticated: true,
      user: {
        username: "system:serviceaccount:default:default",
        extra: { "authentication.kubernetes.io/pod-name": ["solo"] },
      },
    });
  });

  test("wait follows creations, values and deletions", async () => {
    const created = ok("wait --for=create configmap/late --timeout=30s");
    await ok("create configmap late --from-literal=a=1");
    expect(await created).toBe("configmap/late condition met\n");
    expect(await ok("wait --for=jsonpath={.data.a}=1 configmap/late --timeout=10s")).toContain(
      "condition met",
    );
    const deleted = ok("wait --for=delete configmap/late --timeout=30s");
    await ok("delete configmap late");
    await deleted;
  });
});

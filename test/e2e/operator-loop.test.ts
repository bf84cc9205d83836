import {
  CoordinationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  type Informer,
  KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
  makeInformer,
  V1MicroTime,
} from "@kubernetes/client-node";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { boat, boatDefinition } from "../support/boat-definition.js";
import { type ServerProcess, startServer } from "../support/server-process.js";

const [group, version, plural, namespace] = ["example.com", "v1", "boats", "default"];
const finalizer = "example.com/moored";
const leaseName = "boat-operator";
const leaseDurationSeconds = 3;

interface Boat extends KubernetesObject {
  readonly spec?: { readonly sails?: number };
  readonly status?: { readonly sails?: number };
}

let server: ServerProcess;
let api: ApiClient;
let config: KubeConfig;
const operators: Operator[] = [];

beforeAll(async () => {
  server = await startServer();
  api = new ApiClient(server);
  config = new KubeConfig();
  config.loadFromFile(server.kubeconfig);
  await api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", boatDefinition());
  await vi.waitFor(async () => {
    expect((await api.get(`/apis/${group}/${version}/${plural}`)).status).toBe(200);
  }, 60_000);
});

afterAll(async () => {
  for (const operator of operators) await operator.stop();
  await api.close();
  await server.dispose();
});

/** What operators do: one of several leads; it holds boats by a finalizer, makes a config map for each, and tells of it in the status. */
class Operator {
  readonly identity: string;
  readonly #custom = config.makeApiClient(CustomObjectsApi);
  readonly #core = config.makeApiClient(CoreV1Api);
  readonly #leases = config.makeApiClient(CoordinationV1Api);
  readonly #informer: Informer<Boat>;
  readonly failures: unknown[] = [];
  #work: Promise<void> = Promise.resolve();
  #renewal: NodeJS.Timeout | undefined;
  isLeader = false;

  constructor(identity: string) {
    this.identity = identity;
    this.#informer = makeInformer<Boat>(
      config,
      `/apis/${group}/${version}/namespaces/${namespace}/${plural}`,
      async () =>
        (await this.#custom.listNamespacedCustomObject({
          group,
          version,
          namespace,
          plural,
        })) as KubernetesListObject<Boat>,
    );
    for (const verb of ["add", "update"] as const) this.#informer.on(verb, (one) => this.#enqueue(one));
  }

  async start(): Promise<void> {
    await this.#lead();
    this.#renewal = setInterval(() => void this.#lead().catch((error) => this.failures.push(error)), 200);
    await this.#informer.start();
  }

  /** As when the process ends: the lease is left to run out. */
  async stop(): Promise<void> {
    clearInterval(this.#renewal);
    this.isLeader = false;
    await this.#informer.stop();
    await this.#work;
  }

  #enqueue(seen: Boat): void {
    this.#work = this.#work
      .then(() => this.#reconcile(seen.metadata?.name ?? ""))
      .catch((error: { code?: number }) => {
        // Somebody wrote first, perhaps the other operator, whose lease has run out unseen.
        if (error.code === 409) this.#enqueue(seen);
        else this.failures.push(error);
      });
  }

  /** Takes the lease when it was not renewed for some seconds. */
  async #lead(): Promise<void> {
    const renewTime = new V1MicroTime();
    const of = { name: leaseName, namespace };
    const spec = { holderIdentity: this.identity, leaseDurationSeconds, renewTime };
    try {
      const lease = await this.#leases.readNamespacedLease(of);
      // The library leaves it a text.
      const renewed = Date.parse(String(lease.spec?.renewTime));
      if (
        lease.spec?.holderIdentity !== this.identity &&
        Date.now() - renewed < leaseDurationSeconds * 1000
      ) {
        this.isLeader = false;
        return;
      }
      await this.#leases.replaceNamespacedLease({ ...of, body: { ...lease, spec } });
    } catch (error) {
      const code = (error as { code?: number }).code;
      if (code === 409) return;
      if (code !== 404) throw error;
      await this.#leases.createNamespacedLease({ namespace, body: { metadata: { name: leaseName }, spec } });
    }
    const wasLeader = this.isLeader;
    this.isLeader = true;
    if (wasLeader) return;
    for (const known of (await this.#list()).items) this.#enqueue(known);
  }

  async #list(): Promise<KubernetesListObject<Boat>> {
    const all = await this.#custom.listNamespacedCustomObject({ group, version, namespace, plural });
    return all as KubernetesListObject<Boat>;
  }

  async #reconcile(name: string): Promise<void> {
    if (!this.isLeader) return;
    const of = { group, version, namespace, plural, name };
    let current: Boat;
    try {
      current = (await this.#custom.getNamespacedCustomObject(of)) as Boat;
    } catch (error) {
      if ((error as { code?: number }).code === 404) return;
      throw error;
    }
    const { metadata = {}, spec = {} } = current;
    const held = metadata.finalizers?.includes(finalizer) === true;
    if (metadata.deletionTimestamp !== undefined) {
      if (held)
        await this.#custom.replaceNamespacedCustomObject({ ...of, body: withFinalizers(current, []) });
      return;
    }
    if (!held) {
      await this.#custom.replaceNamespacedCustomObject({ ...of, body: withFinalizers(current, [finalizer]) });
      return;
    }
    const { uid = "" } = metadata;
    const owner = { apiVersion: `${group}/${version}`, kind: "Boat", name, uid, controller: true };
    const body = {
      metadata: { name: `log-of-${name}`, ownerReferences: [owner] },
      data: { sails: String(spec.sails) },
    };
    try {
      await this.#core.createNamespacedConfigMap({ namespace, body });
    } catch (error) {
      if ((error as { code?: number }).code !== 409) throw error;
      await this.#core.replaceNamespacedConfigMap({ namespace, name: body.metadata.name, body });
    }
    if (current.status?.sails === spec.sails) return;
    await this.#custom.replaceNamespacedCustomObjectStatus({
      ...of,
      body: { ...current, status: { sails: spec.sails } },
    });
  }
}

function withFinalizers(object: Boat, finalizers: string[]): Boat {
  return { ...object, metadata: { ...object.metadata, finalizers } };
}

async function startOperator(identity: string): Promise<Operator> {
  const operator = new Operator(identity);
  operators.push(operator);
  await operator.start();
  return operator;
}

const boats = `/apis/${group}/${version}/namespaces/${namespace}/${plural}`;
const statusOf = async (name: string) => (await api.get(`${boats}/${name}`)).body.status;
const logOf = async (name: string) =>
  await api.get(`/api/v1/namespaces/${namespace}/configmaps/log-of-${name}`);

test("an operator with a leader, a finalizer, a status and owned objects works as on any cluster", async () => {
  const first = await startOperator("first");
  const second = await startOperator("second");
  expect([first.isLeader, second.isLeader]).toEqual([true, false]);

  await api.post(boats, boat("ann", { sails: 2 }));
  await expect.poll(() => statusOf("ann")).toEqual({ sails: 2 });
  expect((await logOf("ann")).body.data).toEqual({ sails: "2" });
  await api.patch(`${boats}/ann`, "application/merge-patch+json", { spec: { sails: 5 } });
  await expect.poll(() => statusOf("ann")).toEqual({ sails: 5 });
  expect((await api.get(`${boats}/ann`)).body.metadata).toMatchObject({
    generation: 2,
    finalizers: [finalizer],
  });

  await first.stop();
  await expect.poll(() => second.isLeader).toBe(true);
  await api.post(boats, boat("bob", { sails: 1 }));
  await expect.poll(() => statusOf("bob")).toEqual({ sails: 1 });

  for (const name of ["ann", "bob"]) await api.delete(`${boats}/${name}`);
  for (const name of ["ann", "bob"]) {
    await expect.poll(async () => (await api.get(`${boats}/${name}`)).status).toBe(404);
    // The garbage collector removes what a boat owned.
    await expect.poll(async () => (await logOf(name)).status).toBe(404);
  }
  expect([...first.failures, ...second.failures].map(String)).toEqual([]);
});

import {
  CoordinationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  type Informer,
  type KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
  makeInformer,
  V1MicroTime,
} from "@kubernetes/client-node";

const [group, version, plural, namespace] = ["example.com", "v1", "boats", "default"];
const leaseName = "boat-operator";
const leaseDurationSeconds = 3;
const renewalPauseMs = 500;

export const boatFinalizer = "example.com/moored";

interface Boat extends KubernetesObject {
  readonly spec?: { readonly sails?: number };
  readonly status?: { readonly sails?: number };
}

/**
 * A typical operator: elects a leader by a lease, adds a finalizer to each boat, makes a config map for it, and reports in its status.
 * Its client is the JavaScript library.
 */
export class BoatOperator {
  readonly identity: string;
  readonly #custom: CustomObjectsApi;
  readonly #core: CoreV1Api;
  readonly #leases: CoordinationV1Api;
  readonly #informer: Informer<Boat>;
  readonly failures: unknown[] = [];
  #work: Promise<void> = Promise.resolve();
  #renewal: NodeJS.Timeout | undefined;
  #isStopped = false;
  isLeader = false;

  constructor(identity: string, config: KubeConfig) {
    this.identity = identity;
    this.#custom = config.makeApiClient(CustomObjectsApi);
    this.#core = config.makeApiClient(CoreV1Api);
    this.#leases = config.makeApiClient(CoordinationV1Api);
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
    this.#renew();
    await this.#informer.start();
  }

  /** Like the end of the process: leaves the lease to expire. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#renewal);
    this.isLeader = false;
    await this.#informer.stop();
    await this.#work;
  }

  /** One after the other: each call is a connection of its own, and on a busy machine concurrent calls would only add to the load. */
  #renew(): void {
    if (this.#isStopped) return;
    this.#renewal = setTimeout(() => {
      void this.#lead()
        .catch((error) => this.failures.push(error))
        .then(() => this.#renew());
    }, renewalPauseMs);
  }

  #enqueue(seen: Boat): void {
    this.#work = this.#work
      .then(() => this.#reconcile(seen.metadata?.name ?? ""))
      .catch((error: { code?: number }) => {
        // Somebody else wrote first, perhaps the other operator, if this one's lease expired unnoticed.
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
    const held = metadata.finalizers?.includes(boatFinalizer) === true;
    if (metadata.deletionTimestamp !== undefined) {
      if (held)
        await this.#custom.replaceNamespacedCustomObject({ ...of, body: withFinalizers(current, []) });
      return;
    }
    if (!held) {
      await this.#custom.replaceNamespacedCustomObject({
        ...of,
        body: withFinalizers(current, [boatFinalizer]),
      });
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

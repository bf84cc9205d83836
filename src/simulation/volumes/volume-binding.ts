import { removeFromSet } from "../../apimachinery/collections/groups.js";
import { isStatus } from "../../apimachinery/errors/status.js";
import type { PersistentVolume, PersistentVolumeClaim } from "../../apis/gen/core-v1.js";
import type { StorageClass } from "../../apis/gen/storage-v1.js";
import type { EventRecorder } from "../machinery/event-recorder.js";
import type { EventType } from "../machinery/event-writer.js";
import type { ObjectView } from "../machinery/object-view.js";
import type { SyncLoop } from "../machinery/sync-loop.js";
import type { Writer } from "../machinery/writer.js";
import type { Cluster, SimulatedController } from "../pods/cluster.js";
import { defaultClassName } from "./default-class.js";
import { classOf, FreeVolumes } from "./free-volumes.js";
import { makeSimulatedClass, provisioner, referenceTo, simulatedVolume } from "./simulated-class.js";
import { refersTo } from "./volume-match.js";

type ClaimView = ObjectView<PersistentVolumeClaim>;

/** Binds claims to volumes, and creates volumes for claims of the simulated class. Source: Kubernetes' persistent volume controller. */
export class VolumeBinding implements SimulatedController {
  readonly #cluster: Cluster;
  readonly #writer: Writer;
  readonly #recorder: EventRecorder;
  readonly #claims: SyncLoop;
  readonly #volumes: SyncLoop;
  /** Classes that changed or got a new volume: claims that wait for them are checked again. */
  readonly #classes: SyncLoop;
  readonly #free = new FreeVolumes();
  /** Unbound claims, by class. */
  readonly #waiting = new Map<string, Set<string>>();
  readonly #classOfWaiting = new Map<string, string>();
  /** By claim: its volume, even before the claim names it. */
  readonly #chosen = new Map<string, string>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#writer = cluster.controllerWriter("persistent-volume-binder");
    this.#recorder = cluster.recorder("persistentvolume-controller");
    // One at a time: two claims must not get the same volume.
    this.#claims = cluster.loop({ name: "claims", workers: 1, sync: (key) => this.#syncClaim(key) });
    this.#volumes = cluster.loop({ name: "volumes", workers: 1, sync: (name) => this.#syncVolume(name) });
    this.#classes = cluster.loop({
      name: "storage_classes",
      sync: async (name) => {
        for (const claim of this.#waiting.get(name) ?? []) this.#claims.add(claim);
        if (name === "" || defaultClassName(this.#cluster) !== name) return;
        for (const claim of this.#waiting.get("") ?? []) this.#claims.add(claim);
      },
    });
  }

  async start(): Promise<void> {
    await makeSimulatedClass(this.#cluster, this.#writer);
    const { views } = this.#cluster;
    this.#claims.fedBy(
      views.of("persistentvolumeclaims").onChange(({ key, value, previous }) => {
        this.#noteClaim(key, value?.stored.decode());
        if (value !== undefined) return;
        const name = previous?.stored.decode().spec.volumeName ?? this.#chosen.get(key) ?? "";
        if (name !== "") this.#volumes.add(name);
        this.#chosen.delete(key);
      }),
      views.of("persistentvolumes").onChange(({ key, value, previous }) => {
        const volume = value?.stored.decode();
        this.#free.set(key, volume);
        this.#volumes.add(key);
        const reference = (volume ?? previous?.stored.decode())?.spec.claimRef;
        if (reference !== undefined) this.#claims.addSoon(`${reference.namespace}/${reference.name}`);
        else if (volume !== undefined) this.#classes.addSoon(classOf(volume));
      }),
      views.of("storageclasses.storage").onChange(({ key }) => this.#classes.addSoon(key)),
    );
  }

  async stop(): Promise<void> {
    await Promise.all([this.#claims.close(), this.#volumes.close(), this.#classes.close()]);
  }

  #noteClaim(key: string, claim: PersistentVolumeClaim | undefined): void {
    this.#claims.add(key);
    const before = this.#classOfWaiting.get(key);
    if (before !== undefined) {
      removeFromSet(this.#waiting, before, key);
      this.#classOfWaiting.delete(key);
    }
    if (claim === undefined || claim.status.phase === "Bound") return;
    const name = classOf(claim);
    this.#classOfWaiting.set(key, name);
    this.#waiting.set(name, (this.#waiting.get(name) ?? new Set()).add(key));
  }

  async #syncClaim(key: string): Promise<void> {
    const view = this.#cluster.views.of("persistentvolumeclaims").get(key);
    if (view === undefined || view.isTerminating) return;
    const claim = view.stored.decode();
    const { volumeName = "" } = claim.spec;
    if (volumeName !== "") {
      const named = this.#cluster.views.of("persistentvolumes").get(volumeName)?.stored.decode();
      if (named === undefined) {
        if (claim.status.phase === "Bound") await this.#lose(view);
      } else if (named.spec.claimRef === undefined || refersTo(named.spec.claimRef, claim)) {
        await this.#bind(view, claim, named);
      }
      return;
    }
    if (claim.spec.storageClassName === undefined && (await this.#giveDefaultClass(view))) return;
    const wantsConsumer = this.#classOf(claim)?.volumeBindingMode === "WaitForFirstConsumer";
    const selected = claim.metadata.annotations?.[`volume.${this.#cluster.domain}/selected-node`];
    const waits = wantsConsumer && selected === undefined;
    const found = waits ? this.#free.reservedFor(claim) : this.#free.best(claim);
    if (found !== undefined) await this.#bind(view, claim, found);
    else await this.#provision(view, claim, waits);
  }

  /** Gives the claim the default class, if there is one by now. That change triggers this check again. */
  async #giveDefaultClass(view: ClaimView): Promise<boolean> {
    if (!this.#cluster.context.isEnabled("RetroactiveDefaultStorageClass")) return false;
    const name = defaultClassName(this.#cluster);
    if (name === undefined) return false;
    await this.#writer.change("persistentvolumeclaims", view, ({ spec }) => {
      spec.storageClassName ??= name;
    });
    return true;
  }

  async #provision(view: ClaimView, claim: PersistentVolumeClaim, waits: boolean): Promise<void> {
    const storage = this.#classOf(claim);
    if (waits) {
      this.#tell(
        view,
        "Normal",
        "WaitForFirstConsumer",
        "waiting for first consumer to be created before binding",
      );
    } else if (storage === undefined) {
      const name = claim.spec.storageClassName ?? "";
      if (name === "") {
        const message = "no persistent volumes available for this claim and no storage class is set";
        this.#tell(view, "Normal", "FailedBinding", message);
      } else {
        this.#tell(
          view,
          "Warning",
          "ProvisioningFailed",
          `storageclass.${this.#cluster.context.naming.group("storage")} "${name}" not found`,
        );
      }
    } else if (storage.provisioner !== provisioner) {
      const message = `waiting for a volume to be created, either by external provisioner "${storage.provisioner}" or manually created by system administrator`;
      this.#tell(view, "Normal", "ExternalProvisioning", message);
    } else await this.#makeVolume(view, claim, storage);
  }

  async #makeVolume(view: ClaimView, claim: PersistentVolumeClaim, storage: StorageClass): Promise<void> {
    const volume = simulatedVolume(view, claim, storage, this.#cluster.domain);
    try {
      const stored = await this.#writer.create("persistentvolumes", "", volume);
      const message = `Successfully provisioned volume ${volume.metadata.name}`;
      this.#tell(view, "Normal", "ProvisioningSucceeded", message);
      await this.#bind(view, claim, stored.decode());
    } catch (error) {
      if (!isStatus(error, "AlreadyExists")) throw error;
    }
  }

  async #bind(
    view: ClaimView,
    claim: PersistentVolumeClaim,
    { metadata, spec }: PersistentVolume,
  ): Promise<void> {
    const name = metadata.name ?? "";
    const { domain } = this.#cluster;
    this.#chosen.set(`${view.namespace}/${view.name}`, name);
    if (spec.claimRef === undefined || (spec.claimRef.uid ?? "") === "") {
      await this.#writer.change("persistentvolumes", { namespace: "", name }, (volume) => {
        volume.spec.claimRef ??= referenceTo(view);
        volume.spec.claimRef.uid = view.uid;
        const key = `pv.${domain}/bound-by-controller`;
        volume.metadata.annotations = { ...volume.metadata.annotations, [key]: "yes" };
      });
    }
    await this.#writer.changePart("persistentvolumes", { namespace: "", name }, (volume) => {
      if (refersTo(volume.spec.claimRef, claim)) volume.status.phase = "Bound";
    });
    const completed = `pv.${domain}/bind-completed`;
    if (claim.spec.volumeName !== name || claim.metadata.annotations?.[completed] !== "yes") {
      await this.#writer.change("persistentvolumeclaims", view, (object) => {
        const isChosen = (object.spec.volumeName ?? "") === "";
        object.spec.volumeName ??= name;
        object.metadata.annotations = {
          ...object.metadata.annotations,
          [completed]: "yes",
          ...(isChosen && { [`pv.${domain}/bound-by-controller`]: "yes" }),
        };
      });
    }
    if (claim.status.phase === "Bound") return;
    await this.#writer.changePart("persistentvolumeclaims", view, ({ status }) => {
      status.phase = "Bound";
      status.accessModes = spec.accessModes;
      status.capacity = spec.capacity;
    });
  }

  async #lose(view: ClaimView): Promise<void> {
    await this.#writer.changePart("persistentvolumeclaims", view, ({ status }) => {
      status.phase = "Lost";
    });
    this.#tell(
      view,
      "Warning",
      "ClaimLost",
      "Bound claim has lost its PersistentVolume. Data on the volume is lost!",
    );
  }

  async #syncVolume(name: string): Promise<void> {
    const view = this.#cluster.views.of("persistentvolumes").get(name);
    if (view === undefined) return;
    const volume = view.stored.decode();
    const { spec, status } = volume;
    const { claimRef, csi, persistentVolumeReclaimPolicy } = spec;
    const claim =
      claimRef &&
      this.#cluster.views
        .of("persistentvolumeclaims")
        .get(`${claimRef.namespace}/${claimRef.name}`)
        ?.stored.decode();
    const isLeft =
      claimRef !== undefined &&
      (claimRef.uid ?? "") !== "" &&
      (claim === undefined || !refersTo(claimRef, claim)) &&
      (status.phase === "Bound" || status.phase === "Released");
    if (isLeft && persistentVolumeReclaimPolicy === "Delete" && csi?.driver === provisioner) {
      await this.#writer.delete("persistentvolumes", { namespace: "", name, uid: view.uid });
      if (status.phase === "Bound") await this.#release(name, claimRef.uid);
      return;
    }
    if (isLeft && status.phase === "Bound") await this.#release(name, claimRef.uid);
    if (isNew(volume)) await this.#offer(name);
  }

  /** Unless it was bound meanwhile. */
  async #offer(name: string): Promise<void> {
    await this.#writer.changePart("persistentvolumes", { namespace: "", name }, (volume) => {
      if (isNew(volume)) volume.status.phase = "Available";
    });
  }

  async #release(name: string, claimUid: string | undefined): Promise<void> {
    await this.#writer.changePart("persistentvolumes", { namespace: "", name }, ({ spec, status }) => {
      if (spec.claimRef?.uid === claimUid) status.phase = "Released";
    });
  }

  #classOf({ spec }: PersistentVolumeClaim): StorageClass | undefined {
    const { storageClassName = "" } = spec;
    return this.#cluster.views.of("storageclasses.storage").get(storageClassName)?.stored.decode();
  }

  #tell({ namespace, name, uid }: ClaimView, type: EventType, reason: string, message: string): void {
    const subject = { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name, uid };
    this.#recorder.record(subject, type, reason, message);
  }
}

/** Whether the volume is unbound, but its phase does not say so yet. */
function isNew({ spec, status }: PersistentVolume): boolean {
  const isPending = status.phase === undefined || status.phase === "Pending";
  return isPending && (spec.claimRef?.uid ?? "") === "";
}

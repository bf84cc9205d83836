import { addToSet, removeFromSet } from "../apimachinery/collections/groups.js";
import type { ApiObject } from "../apimachinery/objects/meta.js";
import type { BuiltinObjects, BuiltinResource } from "../apis/builtin-objects.js";
import type { PersistentVolume, PersistentVolumeClaim } from "../apis/gen/core-v1.js";
import { turnIfRoundIsOver } from "../event-loop/turns.js";
import { type Following, follow } from "../informers/follow.js";
import { namespaceOfKey } from "../informers/informer-index.js";
import { type Controller, type ControllerContext, controllerUser, controllerWrite } from "./controller.js";
import { controllerQueue } from "./controller-queue.js";
import { ignoreNotFound } from "./ignore-errors.js";
import type { WorkQueue } from "./work-queue.js";

/** Which objects are protected, and for how long. */
export interface ProtectedResource<R extends BuiltinResource> {
  /** Name of the controller, for the log and as writer. */
  readonly controller: string;
  /** Label of the work queue in metrics. */
  readonly queue: string;
  readonly resource: R;
  readonly finalizer: string;
  /** Whether objects without the finalizer get it later; by default only those that were created while admission did not add it. */
  readonly isAddedLater?: boolean;
  isInUse(context: ControllerContext, object: BuiltinObjects[R]): Promise<boolean>;
  /** Resources whose changes may end the use of an object, besides its own. */
  readonly usedBy?: readonly BuiltinResource[];
}

/**
 * Keeps a finalizer on the objects of a resource, and removes it once an object that is being deleted is no longer in use. Source:
 * Kubernetes documentation, "Persistent Volumes", "Storage Object in Use Protection".
 */
export class InUseProtectionController<R extends BuiltinResource> implements Controller {
  readonly #context: ControllerContext;
  readonly #protected: ProtectedResource<R>;
  readonly #queue: WorkQueue<string>;
  /** Keys of objects that are being deleted but still in use, by namespace. */
  readonly #waiting = new Map<string, Set<string>>();
  #following: readonly Following[] = [];

  constructor(context: ControllerContext, resource: ProtectedResource<R>) {
    this.#context = context;
    this.#protected = resource;
    this.#queue = controllerQueue(context, {
      name: resource.queue,
      work: (key) => this.#check(key),
      workers: 2,
      file: "controllers/in-use-protection",
      failure: "the protection of an object will be retried",
      about: (key) => ({ controller: resource.controller, key }),
    });
  }

  async start(): Promise<void> {
    const { resource, usedBy = [] } = this.#protected;
    this.#following = await Promise.all([
      follow(this.#context.builtin(resource), {
        change: (type, { key }) => {
          if (type === "DELETED") this.#stopWaiting(key);
          else this.#queue.add(key);
        },
      }),
      ...usedBy.map((each) => this.#followUsers(each)),
    ]);
  }

  async stop(): Promise<void> {
    for (const following of this.#following) following.stop();
    await this.#queue.close();
  }

  #followUsers(usedBy: BuiltinResource): Promise<Following> {
    return follow(this.#context.builtin(usedBy), {
      change: (_type, { key }) => {
        if (this.#waiting.size === 0) return;
        // Cluster-scoped objects may be used from any namespace.
        for (const namespace of new Set([namespaceOfKey(key), ""])) {
          for (const waiting of this.#waiting.get(namespace) ?? []) this.#queue.add(waiting);
        }
      },
    });
  }

  async #check(key: string): Promise<void> {
    const { finalizer, isInUse, isAddedLater = true } = this.#protected;
    const object = await this.#find(key);
    if (object === undefined) return;
    const isProtected = object.metadata.finalizers?.includes(finalizer) ?? false;
    if (object.metadata.deletionTimestamp === undefined) {
      if (!isProtected && isAddedLater) await this.#write(object, (finalizers) => [...finalizers, finalizer]);
      return;
    }
    if (!isProtected) return;
    // Subscribe first: a change between the check and the entry would be missed.
    this.#wait(key);
    if (await isInUse(this.#context, object)) return;
    await this.#write(object, (finalizers) => finalizers.filter((each) => each !== finalizer));
    this.#stopWaiting(key);
  }

  #wait(key: string): void {
    const namespace = namespaceOfKey(key);
    addToSet(this.#waiting, namespace, key);
  }

  #stopWaiting(key: string): void {
    const namespace = namespaceOfKey(key);
    removeFromSet(this.#waiting, namespace, key);
  }

  async #find(key: string): Promise<BuiltinObjects[R] | undefined> {
    const namespace = namespaceOfKey(key);
    const name = namespace === "" ? key : key.slice(namespace.length + 1);
    const registry = this.#context.builtin(this.#protected.resource);
    return (await registry.find(namespace, name, { kind: "mostRecent" }))?.decode();
  }

  async #write({ metadata }: ApiObject, change: (finalizers: readonly string[]) => string[]): Promise<void> {
    const { controller, resource } = this.#protected;
    const { name = "", namespace = "", uid } = metadata;
    const user = controllerUser(`system:serviceaccount:${controller}`);
    const write = controllerWrite(this.#context, user, namespace);
    const setFinalizers = ({ metadata }: ApiObject): void => {
      const finalizers = change(metadata.finalizers ?? []);
      metadata.finalizers = finalizers.length === 0 ? undefined : [...new Set(finalizers)];
    };
    await ignoreNotFound(this.#context.builtin(resource).change(write, name, setFinalizers, { uid }));
  }
}

/** Members of a pod's JSON without which it uses no claim and need not be decoded. */
const claimMembers = ['"persistentVolumeClaim"', '"ephemeral"'];

/** Claims are protected while a scheduled pod uses them. */
export function claimProtection(domain: string): ProtectedResource<"persistentvolumeclaims"> {
  return {
    controller: "pvc-protection-controller",
    queue: "pvcprotection",
    resource: "persistentvolumeclaims",
    finalizer: `${domain}/pvc-protection`,
    usedBy: ["pods"],
    async isInUse(context, { metadata: { name, namespace = "" } }) {
      const { items } = await context.builtin("pods").list({
        prefix: `${namespace}/`,
        at: { kind: "mostRecent" },
        limit: 0,
        // Node agents do not start pods whose claim is being deleted.
        matches: ({ fields }) => (fields["spec.nodeName"] ?? "") !== "",
      });
      return await someInTurns(items, (stored) => {
        if (!claimMembers.some((member) => stored.body.includes(member))) return false;
        const { spec, metadata } = stored.decode();
        return (spec.volumes ?? []).some(
          (volume) =>
            volume.persistentVolumeClaim?.claimName === name ||
            (volume.ephemeral !== undefined && `${metadata.name}-${volume.name}` === name),
        );
      });
    },
  };
}

/** Volumes are protected while they are bound to a claim. */
export function volumeProtection(domain: string): ProtectedResource<"persistentvolumes"> {
  return {
    controller: "pv-protection-controller",
    queue: "pvprotection",
    resource: "persistentvolumes",
    finalizer: `${domain}/pv-protection`,
    isInUse: async (_context, { status }) => status?.phase === "Bound",
  };
}

/** Classes are protected while a claim or a volume has their attributes, or is about to get them. */
export function attributesClassProtection(
  domain: string,
): ProtectedResource<"volumeattributesclasses.storage"> {
  return {
    controller: "volumeattributesclass-protection-controller",
    queue: "vacprotection",
    resource: "volumeattributesclasses.storage",
    finalizer: `${domain}/vac-protection`,
    usedBy: ["persistentvolumeclaims", "persistentvolumes"],
    async isInUse(context, { metadata: { name = "" } }) {
      const text = JSON.stringify(name);
      for (const resource of ["persistentvolumes", "persistentvolumeclaims"] as const) {
        const at = { kind: "mostRecent" } as const;
        const { items } = await context.builtin(resource).list({ prefix: "", at, limit: 0 });
        const isUsed = await someInTurns(
          items,
          (stored) => stored.body.includes(text) && classesOf(stored.decode()).includes(name),
        );
        if (isUsed) return true;
      }
      return false;
    },
  };
}

/** Pod groups are protected while one of their pods has not ended. */
export function podGroupProtection(groupName: string): ProtectedResource<"podgroups.scheduling"> {
  return {
    controller: "podgroup-protection-controller",
    queue: "podgroupprotection",
    resource: "podgroups.scheduling",
    finalizer: `${groupName}/podgroup-protection`,
    usedBy: ["pods"],
    isAddedLater: false,
    async isInUse(context, { metadata: { name = "", namespace = "" } }) {
      const at = { kind: "mostRecent" } as const;
      const { items } = await context.builtin("pods").list({ prefix: `${namespace}/`, at, limit: 0 });
      return await someInTurns(items, (stored) => {
        if (!stored.body.includes('"podGroupName"')) return false;
        const { spec, status } = stored.decode();
        const hasEnded = status.phase === "Succeeded" || status.phase === "Failed";
        return !hasEnded && spec.schedulingGroup?.podGroupName === name;
      });
    },
  };
}

/** Like `Array.some`, yielding to the event loop. */
async function someInTurns<T>(items: Iterable<T>, isMatch: (item: T) => boolean): Promise<boolean> {
  for (const item of items) {
    if (isMatch(item)) return true;
    await turnIfRoundIsOver();
  }
  return false;
}

function classesOf({ spec, status }: PersistentVolume | PersistentVolumeClaim): (string | undefined)[] {
  const claimed = status !== undefined && "currentVolumeAttributesClassName" in status ? status : undefined;
  return [
    spec.volumeAttributesClassName,
    claimed?.currentVolumeAttributesClassName,
    claimed?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
}

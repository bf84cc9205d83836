import type { ResourceDefinition } from "../../apis/definition/resource-definition.js";
import { type Following, follow } from "../../informers/follow.js";
import { namespaceOfKey } from "../../informers/informer-index.js";
import type { WatchEventType } from "../../storage/object-store.js";
import type { ControllerContext } from "../controller.js";

/** An object of a counted resource changed in a namespace. */
type Listener = (type: WatchEventType, resource: string, namespace: string) => void;

/** Watches only the resources that quotas count. */
export class CountedResources {
  readonly #context: Pick<ControllerContext, "registries">;
  readonly #changed: Listener;
  /** Number of quotas that count each resource. */
  readonly #counting = new Map<string, number>();
  readonly #followings = new Map<string, Promise<Following>>();

  constructor(context: Pick<ControllerContext, "registries">, changed: Listener) {
    this.#context = context;
    this.#changed = changed;
  }

  has(resource: string): boolean {
    return this.#counting.has(resource);
  }

  /** A quota counts `after` in place of `before`. */
  replace(before: ReadonlySet<string> | undefined, after: ReadonlySet<string> | undefined): void {
    let isMore = false;
    for (const resource of after ?? []) {
      const count = this.#counting.get(resource) ?? 0;
      this.#counting.set(resource, count + 1);
      if (count === 0) isMore = true;
    }
    if (isMore) this.followServed();
    for (const resource of before ?? []) {
      const count = (this.#counting.get(resource) ?? 1) - 1;
      if (count > 0) {
        this.#counting.set(resource, count);
      } else {
        this.#counting.delete(resource);
        this.unfollow(resource);
      }
    }
  }

  /** Follows the counted resources that are served by now. */
  followServed(): void {
    if (this.#counting.size === 0) return;
    for (const registry of this.#context.registries()) {
      const resource = keyOf(registry.definition);
      if (!this.#counting.has(resource) || this.#followings.has(resource)) continue;
      const following = follow(registry, {
        change: (type, { key }) => this.#changed(type, resource, namespaceOfKey(key)),
      });
      this.#followings.set(resource, following);
    }
  }

  /** The resource is no longer served. */
  unfollow(resource: string): void {
    void this.#followings.get(resource)?.then((following) => following.stop());
    this.#followings.delete(resource);
  }

  stop(): void {
    for (const resource of [...this.#followings.keys()]) this.unfollow(resource);
  }
}

/** `pods.`, `deployments.apps` */
export function keyOf({ group, resource }: Pick<ResourceDefinition, "group" | "resource">): string {
  return `${resource}.${group}`;
}

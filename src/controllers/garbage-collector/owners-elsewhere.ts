import { apiVersionOf, type OwnerReference } from "../../apimachinery/objects/meta.js";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import { timestamp } from "../../apimachinery/values/time.js";
import { hubVersion } from "../../apis/definition/resource-definition.js";
import type { Event } from "../../apis/gen/core-v1.js";
import { turnIfRoundIsOver } from "../../event-loop/turns.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import { type ControllerContext, controllerWrite } from "../controller.js";
import type { GraphNode } from "./dependency-graph.js";
import { storedMetadata } from "./stored-metadata.js";

/** A reference that names no object where it is looked up. */
export interface MissedOwner {
  readonly owner: OwnerReference;
  readonly registry: ResourceRegistry;
}

/** An owner is looked for in every namespace, and a client decides how many it names. */
const ownersMax = 10;
/** The rest of a name of 253 characters is for the time. */
const nameCharactersMax = 220;
const component = "garbage-collector-controller";

/**
 * Writes a warning event about a dependent whose owner exists in another namespace, where no reference reaches it. The mistake is hard to
 * see otherwise: the dependent vanishes, or stays for ever when it has no namespace. Source: `OwnerRefInvalidNamespace` of Kubernetes'
 * garbage collector.
 */
export class OwnersElsewhere {
  readonly #context: ControllerContext;
  readonly #user: UserInfo;

  /** `user`: who writes the events. */
  constructor(context: ControllerContext, user: UserInfo) {
    this.#context = context;
    this.#user = user;
  }

  async report(node: GraphNode, missed: readonly MissedOwner[]): Promise<void> {
    const namespaced = missed.filter(({ registry }) => registry.definition.namespaced).slice(0, ownersMax);
    if (namespaced.length === 0) return;
    const { items } = await this.#context
      .builtin("namespaces")
      .list({ prefix: "", at: { kind: "any" }, limit: 0 });
    const of = node.namespace === "" ? "default" : node.namespace;
    const own = items.find(({ key }) => key === of);
    // An event would outlive a namespace that is about to be removed.
    if (own === undefined || storedMetadata(own).deletionTimestamp !== undefined) return;
    const others = items.map(({ key }) => key).filter((namespace) => namespace !== node.namespace);
    for (const [index, { owner, registry }] of namespaced.entries()) {
      if (await isInOne(registry, others, owner)) await this.#warn(node, owner, of, index);
    }
  }

  async #warn(node: GraphNode, owner: OwnerReference, namespace: string, index: number): Promise<void> {
    const now = this.#context.now();
    const at = timestamp(now);
    const nanoseconds = BigInt(now.getTime()) * 1_000_000n + BigInt(index);
    const { definition } = node.registry;
    const event: Event = {
      metadata: {
        name: `${node.name.slice(0, nameCharactersMax)}.${nanoseconds.toString(16)}`,
        namespace,
      },
      involvedObject: {
        apiVersion: apiVersionOf({ group: definition.group, version: hubVersion(definition).version }),
        kind: definition.kind,
        namespace: node.namespace === "" ? undefined : node.namespace,
        name: node.name,
        uid: node.uid,
      },
      reason: "OwnerRefInvalidNamespace",
      message: `ownerRef ${described(owner, node.namespace)} does not exist in namespace ${JSON.stringify(node.namespace)}`,
      source: { component },
      firstTimestamp: at,
      lastTimestamp: at,
      count: 1,
      type: "Warning",
      reportingComponent: "",
      reportingInstance: "",
    };
    try {
      await this.#context
        .builtin("events")
        .create(controllerWrite(this.#context, this.#user, namespace), event);
    } catch (error) {
      // The collector's own work does not wait for events.
      this.#context.log.verbose(
        { level: 2, file: "controllers/garbage-collector/owners-elsewhere" },
        "event could not be written",
        { reason: String(error) },
      );
    }
  }
}

async function isInOne(
  registry: ResourceRegistry,
  namespaces: readonly string[],
  { name, uid }: OwnerReference,
): Promise<boolean> {
  for (const namespace of namespaces) {
    await turnIfRoundIsOver();
    const stored = await registry.find(namespace, name, { kind: "any" });
    if (stored !== undefined && storedMetadata(stored).uid === uid) return true;
  }
  return false;
}

function described({ apiVersion, kind, name, uid }: OwnerReference, namespace: string): string {
  return `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
}

import type { OwnerReference } from "../../apimachinery/objects/meta.js";
import { hubTypeMeta } from "../../apis/definition/resource-definition.js";
import { turnIfRoundIsOver } from "../../event-loop/turns.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { ControllerContext } from "../controller.js";
import type { Warning } from "../warning-events.js";
import type { GraphNode } from "./dependency-graph.js";
import { storedMetadata } from "./stored-metadata.js";

/** A reference that names no object where it is looked up. */
export interface MissedOwner {
  readonly owner: OwnerReference;
  readonly registry: ResourceRegistry;
}

/** For one dependent: clients decide how many owners it names, and how many namespaces there are. */
const lookupsMax = 1000;

/**
 * Warnings about a dependent whose owner exists in another namespace, where no reference reaches it. The mistake is hard to see otherwise:
 * the dependent vanishes, or stays for ever when it has no namespace. Source: `OwnerRefInvalidNamespace` of Kubernetes' garbage collector.
 */
export async function ownersElsewhere(
  context: Pick<ControllerContext, "builtin">,
  node: GraphNode,
  missed: readonly MissedOwner[],
): Promise<readonly Warning[]> {
  const namespaced = missed.filter(({ registry }) => registry.definition.namespaced);
  if (namespaced.length === 0) return [];
  const { items } = await context.builtin("namespaces").list({ prefix: "", at: { kind: "any" }, limit: 0 });
  const others = items.map(({ key }) => key).filter((namespace) => namespace !== node.namespace);
  const warnings: Warning[] = [];
  let lookups = 0;
  for (const { owner, registry } of namespaced) {
    const searched = others.slice(0, lookupsMax - lookups);
    if (await isInOne(registry, searched, owner)) warnings.push(warningOf(node, owner));
    lookups += searched.length;
  }
  return warnings;
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

function warningOf({ registry, namespace, name, uid }: GraphNode, owner: OwnerReference): Warning {
  const what = `[${owner.apiVersion}/${owner.kind}, namespace: ${namespace}, name: ${owner.name}, uid: ${owner.uid}]`;
  return {
    subject: { ...hubTypeMeta(registry.definition), namespace, name, uid },
    component: "garbage-collector-controller",
    reason: "OwnerRefInvalidNamespace",
    message: `ownerRef ${what} does not exist in namespace ${JSON.stringify(namespace)}`,
  };
}

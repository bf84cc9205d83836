import { compareText } from "../apimachinery/collections/compare-text.js";
import { admissionregistrationResources } from "./admissionregistration/resources.js";
import { apiextensionsResources } from "./apiextensions/resources.js";
import { apiregistrationResources } from "./apiregistration/resources.js";
import { apiserverinternalResources } from "./apiserverinternal/resources.js";
import { appsResources } from "./apps/resources.js";
import { authenticationResources } from "./authentication/resources.js";
import { authorizationResources } from "./authorization/resources.js";
import { autoscalingResources } from "./autoscaling/resources.js";
import { batchResources } from "./batch/resources.js";
import { certificatesResources } from "./certificates/resources.js";
import { coordinationResources } from "./coordination/resources.js";
import { coreResources } from "./core/resources.js";
import type { ApiContext } from "./definition/api-context.js";
import { definitionAtLevel } from "./definition/definition-at-level.js";
import type { ResourceDefinition } from "./definition/resource-definition.js";
import { withSharedMetadataRules } from "./definition/shared-metadata-rules.js";
import { discoveryResources } from "./discovery/resources.js";
import { eventsResources } from "./events/resources.js";
import { flowcontrolResources } from "./flowcontrol/resources.js";
import { networkingResources } from "./networking/resources.js";
import { nodeResources } from "./node/resources.js";
import { policyResources } from "./policy/resources.js";
import { rbacResources } from "./rbac/resources.js";
import { resourceResources } from "./resource/resources.js";
import { schedulingResources } from "./scheduling/resources.js";
import { storageResources } from "./storage/resources.js";
import { storagemigrationResources } from "./storagemigration/resources.js";

export interface LevelResources {
  /** Every built-in resource type of the level, in alphabetical order of the plural names, as discovery lists them. */
  readonly known: readonly ResourceDefinition[];
  /** Resources that only other levels have, one per storage prefix. */
  readonly unserved: readonly ResourceDefinition[];
}

export function resourcesOfLevel(context: ApiContext): LevelResources {
  const known: ResourceDefinition[] = [];
  const unserved: ResourceDefinition[] = [];
  for (const definition of resourcesOfAllLevels(context)) {
    const ofLevel = definitionAtLevel(definition, context.level, context.oldestLevel);
    if (ofLevel === undefined) unserved.push(definition);
    else known.push(ofLevel);
  }
  // A stored object below a known kind's prefix is of that kind, whatever its version.
  const prefixes = new Set(known.map(({ storage }) => storage?.prefix));
  const others = unserved.filter(({ storage }) => {
    const isNew = !prefixes.has(storage?.prefix);
    prefixes.add(storage?.prefix);
    return isNew;
  });
  return { known, unserved: others };
}

/** Every built-in resource type of the context's level. */
export function builtinResources(context: ApiContext): readonly ResourceDefinition[] {
  return resourcesOfLevel(context).known;
}

/** With the versions, subresources and columns of all levels; their types are those of the context's schemas. */
export function resourcesOfAllLevels(context: ApiContext): readonly ResourceDefinition[] {
  const definitions = [
    ...coreResources(context),
    ...admissionregistrationResources(context),
    ...apiextensionsResources(context),
    ...apiregistrationResources(context),
    ...apiserverinternalResources(context),
    ...appsResources(context),
    ...authenticationResources(context),
    ...authorizationResources(context),
    ...autoscalingResources(context),
    ...batchResources(context),
    ...certificatesResources(context),
    ...coordinationResources(context),
    ...discoveryResources(context),
    ...eventsResources(context),
    ...flowcontrolResources(context),
    ...networkingResources(context),
    ...nodeResources(context),
    ...policyResources(context),
    ...rbacResources(context),
    ...resourceResources(context),
    ...schedulingResources(context),
    ...storageResources(context),
    ...storagemigrationResources(context),
  ];
  // For the kinds that Kubernetes validates itself, beyond the rules for all servers on its library.
  const standardFinalizers = [context.naming.vendor];
  const checked = definitions.map((definition) =>
    withSharedMetadataRules.has(definition.resource) ? definition : { ...definition, standardFinalizers },
  );
  return checked.sort((a, b) => compareText(a.resource, b.resource));
}

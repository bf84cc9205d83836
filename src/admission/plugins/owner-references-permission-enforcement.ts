import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { type OwnerReference, parseApiVersion } from "../../apimachinery/objects/meta.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { refused } from "../chain/refusal.js";
import type { AccessQuestion, PluginContext } from "./plugin-context.js";

type Context = Pick<PluginContext, "naming" | "authorizer" | "cluster">;

/**
 * Changing the owners of an object requires the permission to delete it, and blocking the deletion of new owners requires permission
 * on their finalizers.
 */
export function ownerReferencesPermissionEnforcement(context: Context): AdmissionPlugin {
  return {
    operations: ["CREATE", "UPDATE"],
    validate(attributes) {
      const { resource, subresource, object, oldObject } = attributes;
      // Node agents send back the whole object with a status, and may not delete pods.
      if (resource.group === "" && resource.resource === "pods" && subresource === "status") return;
      const owners = object?.metadata?.ownerReferences ?? [];
      const before = oldObject?.metadata?.ownerReferences ?? [];
      if (owners.length === 0 && before.length === 0) return;
      if (isDeepEqual(owners, before)) return;
      return checkOwners(context, attributes, owners, before);
    },
  };
}

async function checkOwners(
  context: Context,
  attributes: AdmissionAttributes,
  owners: readonly OwnerReference[],
  before: readonly OwnerReference[],
): Promise<void> {
  if (attributes.operation !== "CREATE") await checkDeletion(context, attributes);
  const blocking = new Set(before.filter((owner) => owner.blockOwnerDeletion === true).map(({ uid }) => uid));
  for (const owner of owners) {
    const isNew = owner.blockOwnerDeletion === true && !blocking.has(owner.uid);
    if (isNew) await checkBlocking(context, attributes, owner);
  }
}

/** Refuses unless the user may delete the object. */
async function checkDeletion(
  { authorizer, naming }: Context,
  attributes: AdmissionAttributes,
): Promise<void> {
  const { resource, subresource, namespace, name, user, signal } = attributes;
  const question: AccessQuestion = {
    verb: "delete",
    group: naming.groupStem(resource.group),
    version: resource.version,
    resource: resource.resource,
    subresource,
    namespace,
    name,
  };
  const { isAllowed, reason } = await authorizer.authorize(user, question, signal);
  if (isAllowed) return;
  throw refused(attributes, `cannot set an ownerRef on a resource you can't delete: ${reason}, <nil>`);
}

/** Refuses unless the user may block the deletion of an owner. */
async function checkBlocking(
  { authorizer, cluster, naming }: Context,
  attributes: AdmissionAttributes,
  owner: OwnerReference,
): Promise<void> {
  const { group, version } = parseApiVersion(owner.apiVersion) ?? { group: "", version: "" };
  const kinds = cluster.resourcesOf({ group, version, kind: owner.kind });
  if (kinds.length === 0) {
    throw refused(
      attributes,
      `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${owner.apiVersion} Kind ${owner.kind}: no matches for kind "${owner.kind}" in version "${owner.apiVersion}"`,
    );
  }
  for (const { resource, namespaced } of kinds) {
    const question: AccessQuestion = {
      verb: "update",
      group: naming.groupStem(group),
      version,
      resource,
      subresource: "finalizers",
      namespace: namespaced ? attributes.namespace : "",
      name: owner.name,
    };
    const { isAllowed, reason } = await authorizer.authorize(attributes.user, question, attributes.signal);
    if (isAllowed) continue;
    throw refused(
      attributes,
      `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${reason}, <nil>`,
    );
  }
}

import { append } from "../../apimachinery/collections/append.js";
import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { type FieldError, FieldPath, forbidden } from "../../apimachinery/errors/field-error.js";
import { accessRefusal } from "../../apimachinery/requests/access-refusal.js";
import { type Authorizer, resourceAccess } from "../../apimachinery/requests/authorizer.js";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import type { AllocationResult, ResourceClaim, ResourceClaimStatus } from "../../apis/gen/resource-v1.js";
import { deviceKey, devicesStillAllocated } from "../../apis/resource/claim-status-validation.js";
import type { RegistryContext } from "../generic/registry-context.js";
import type { RegistryHooks } from "../generic/write-stages.js";

export interface StatusAuthorizationParts {
  readonly authorizer: Authorizer;
  /** The API group of claims. */
  readonly group: string;
  /** Domain of the extra attributes of users. */
  readonly domain: string;
  /** Whether drivers report the status of devices. */
  readonly reportsDevices: boolean;
}

/** A virtual action on claims, which permits writing part of their status. */
interface Action {
  readonly verb: string;
  readonly subresource: "binding" | "driver";
  readonly namespace: string;
  readonly name: string;
}

const statusPath = FieldPath.of("status");

/**
 * Writing the allocation in a claim's status needs `resourceclaims/binding`, and writing a driver's status of devices needs
 * `resourceclaims/driver` with the driver's name. Source: release notes of 1.36, DRAResourceClaimGranularStatusAuthorization.
 */
export function claimStatusHooks(parts: StatusAuthorizationParts): RegistryHooks<ResourceClaim> {
  return {
    async problems(context, { status }, old, isPart) {
      const { verb } = context;
      // The server itself may write everything.
      if (verb === undefined || old === undefined || !isPart) return [];
      const errors = await bindingProblems(parts, context, verb, status, old.status);
      if (parts.reportsDevices) {
        append(errors, await deviceProblems(parts, context, verb, status, old.status));
      }
      return errors;
    },
  };
}

async function bindingProblems(
  parts: StatusAuthorizationParts,
  context: RegistryContext,
  verb: string,
  status: ResourceClaimStatus,
  old: ResourceClaimStatus,
): Promise<FieldError[]> {
  const isSame =
    isDeepEqual(status.allocation, old.allocation) &&
    isDeepEqual(status.reservedFor ?? [], old.reservedFor ?? []);
  if (isSame) return [];
  const action = { verb, subresource: "binding", namespace: "", name: "" } as const;
  const refusal = await refusalOf(parts, context, [action]);
  if (refusal === undefined) return [];
  const why = `changing status.allocation or status.reservedFor requires resource="resourceclaims/binding", verb="${verb}" permission: ${refusal}`;
  return [forbidden(statusPath.child("allocation"), why)];
}

async function deviceProblems(
  parts: StatusAuthorizationParts,
  context: RegistryContext,
  verb: string,
  status: ResourceClaimStatus,
  old: ResourceClaimStatus,
): Promise<FieldError[]> {
  // Device statuses are removed together with the allocation.
  if (status.allocation === undefined) return [];
  const isOnNode = runsOnNode(context.user, parts.domain, nodeOf(status.allocation));
  const verbs = [...(isOnNode ? ["associated-node"] : []), "arbitrary-node"].map((on) => `${on}:${verb}`);
  const errors: FieldError[] = [];
  for (const name of changedDrivers(status, old)) {
    const { namespace } = context;
    const actions = verbs.map((verb) => ({ verb, subresource: "driver", namespace, name }) as const);
    const refusal = await refusalOf(parts, context, actions);
    if (refusal === undefined) continue;
    const why = `changing status.devices requires resource="resourceclaims/driver", verb="[${verbs.join(" ")}]" permission: ${refusal}`;
    errors.push(forbidden(statusPath.child("devices"), why));
  }
  return errors;
}

/** The refusal of the first of these actions; undefined if any is allowed. */
async function refusalOf(
  { authorizer, group }: StatusAuthorizationParts,
  { user, signal }: RegistryContext,
  actions: readonly Action[],
): Promise<string | undefined> {
  let first: string | undefined;
  for (const action of actions) {
    const info = resourceAccess({ ...action, apiGroup: group, apiVersion: "*", resource: "resourceclaims" });
    const { kind, reason, error } = await authorizer.authorize({ user, info, signal });
    if (kind === "allow") return undefined;
    const why = [error?.message ?? "", reason].filter((part) => part !== "").join(": ");
    first ??= accessRefusal(user, info, { reason: why }).message;
  }
  return first;
}

/** The drivers of devices whose status is added, changed or removed; sorted. */
function changedDrivers(status: ResourceClaimStatus, old: ResourceClaimStatus): readonly string[] {
  const before = new Map((old.devices ?? []).map((device) => [deviceKey(device), device]));
  const drivers = new Set<string>();
  for (const device of devicesStillAllocated(status, old)) {
    const key = deviceKey(device);
    if (!isDeepEqual(before.get(key), device)) drivers.add(device.driver);
    before.delete(key);
  }
  for (const { driver } of before.values()) drivers.add(driver);
  return [...drivers].sort();
}

/** The node of the allocated devices; empty for more than one. */
function nodeOf({ nodeSelector }: AllocationResult): string {
  const [term, ...others] = nodeSelector?.nodeSelectorTerms ?? [];
  const [field, ...otherFields] = term?.matchFields ?? [];
  if (others.length > 0 || otherFields.length > 0 || (term?.matchExpressions ?? []).length > 0) return "";
  const isName = field?.key === "metadata.name" && field.operator === "In";
  const [name = "", ...otherNames] = isName ? (field.values ?? []) : [];
  return otherNames.length > 0 ? "" : name;
}

/** Whether the user is a service account whose token is bound to the node. */
function runsOnNode({ name, extra }: UserInfo, domain: string, node: string): boolean {
  const own = extra[`authentication.${domain}/node-name`] ?? [];
  return (
    node !== "" && /^system:serviceaccount:[^:]+:[^:]+$/.test(name) && own.length === 1 && own[0] === node
  );
}

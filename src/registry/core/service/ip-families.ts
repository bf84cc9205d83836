import { append } from "../../../apimachinery/collections/append.js";
import { withErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import { type FieldError, FieldPath, findErrors, invalid } from "../../../apimachinery/errors/field-error.js";
import { PrintedValue } from "../../../apimachinery/errors/printed-value.js";
import { invalidObject } from "../../../apimachinery/errors/status.js";
import { minorOf } from "../../../apimachinery/levels/api-level.js";
import { type IpFamily, ipFamilyOf } from "../../../apimachinery/validation/ip-addresses.js";
import type { IpRules } from "../../../apimachinery/validation/ip-fields.js";
import { validateClusterIps } from "../../../apis/core/service/cluster-ip-validation.js";
import {
  isHeadlessWithoutSelector,
  isSameList,
  needsClusterIp,
  noClusterIp,
  otherFamily,
} from "../../../apis/core/service/service-traits.js";
import type { Service } from "../../../apis/gen/core-v1.js";

const serviceKind = { group: "", kind: "Service" };

/** 422 for a service. */
export function invalidService(object: Service, errors: readonly FieldError[], isCut = false): Error {
  return invalidObject(serviceKind, object.metadata.name ?? "", errors, isCut);
}

/**
 * Decides which IP families a service has, and by which policy: from the client's object, then the old service, then its addresses, then
 * the cluster's families in their order. Throws 422 for anything the cluster cannot do.
 */
export function settleIpFamilies(
  object: Service,
  old: Service | undefined,
  clusterFamilies: readonly IpFamily[],
  rules: IpRules,
): void {
  withErrorTextsOf(minorOf(rules.level), () => settle(object, old, clusterFamilies, rules));
}

function settle(
  object: Service,
  old: Service | undefined,
  clusterFamilies: readonly IpFamily[],
  rules: IpRules,
): void {
  if (!needsClusterIp(object) || keepsPreferredStack(object, old)) return;
  const { spec } = object;
  spec.ipFamilyPolicy ??= old?.spec.ipFamilyPolicy ?? defaultPolicy(object);
  const found = findErrors(() => validateClusterIps(object, old, rules));
  if (found.errors.length > 0) throw invalidService(object, found.errors, found.isCut);
  const errors: FieldError[] = [];
  const isSingle = spec.ipFamilyPolicy === "SingleStack";
  if (old !== undefined && isSingle) dropSecondStack(object, old);
  if (old !== undefined && !isSingle) append(errors, shrinkErrors(object, old));
  if (isSingle) append(errors, singleStackErrors(object));
  append(errors, inferFamilies(object, clusterFamilies));
  if (errors.length > 0) throw invalidService(object, errors);

  const [primary = "IPv4"] = clusterFamilies;
  if (isHeadlessWithoutSelector(object)) {
    // A headless service without selector may have endpoints of families that this cluster lacks.
    spec.ipFamilies = orDefault(spec.ipFamilies, primary);
    if (!isSingle) addOtherFamily(spec.ipFamilies);
    return;
  }
  if (spec.ipFamilyPolicy === "RequireDualStack" && clusterFamilies.length < 2) {
    errors.push(policyError(object, "this cluster is not configured for dual-stack services"));
  }
  for (const [index, family] of (spec.ipFamilies ?? []).entries()) {
    if (clusterFamilies.some((known) => known === family)) continue;
    const path = FieldPath.of("spec", "ipFamilies").index(index);
    errors.push(invalid(path, family, "not configured on this cluster"));
  }
  if (errors.length > 0) throw invalidService(object, errors);
  spec.ipFamilies = orDefault(spec.ipFamilies, primary);
  if (!isSingle && clusterFamilies.length === 2) addOtherFamily(spec.ipFamilies);
}

/**
 * A service that prefers dual stack and is not changed in that respect stays as it is, even when the cluster has gained or lost a family
 * since.
 */
export function keepsPreferredStack({ spec }: Service, old: Service | undefined): boolean {
  if (old === undefined || spec.type !== old.spec.type || spec.type === "ExternalName") return false;
  const oldPolicy = old.spec.ipFamilyPolicy ?? "PreferDualStack";
  return (
    spec.ipFamilyPolicy === "PreferDualStack" &&
    oldPolicy === "PreferDualStack" &&
    isSameList(spec.clusterIPs, old.spec.clusterIPs) &&
    isSameList(spec.ipFamilies, old.spec.ipFamilies)
  );
}

function defaultPolicy(object: Service): string {
  return isHeadlessWithoutSelector(object) ? "RequireDualStack" : "SingleStack";
}

/** Requesting a single stack is enough to release the second address and family. */
function dropSecondStack({ spec }: Service, old: Service): void {
  if (isSameList(spec.clusterIPs, old.spec.clusterIPs)) spec.clusterIPs = spec.clusterIPs?.slice(0, 1);
  if (isSameList(spec.ipFamilies, old.spec.ipFamilies)) spec.ipFamilies = spec.ipFamilies?.slice(0, 1);
}

function shrinkErrors(object: Service, old: Service): FieldError[] {
  const isShorter = (after: readonly string[] = [], before: readonly string[] = []): boolean =>
    after.length > 0 && after.length < before.length;
  const errors: FieldError[] = [];
  if (isShorter(object.spec.clusterIPs, old.spec.clusterIPs)) {
    errors.push(policyError(object, "must be 'SingleStack' to release the secondary cluster IP"));
  }
  if (isShorter(object.spec.ipFamilies, old.spec.ipFamilies)) {
    errors.push(policyError(object, "must be 'SingleStack' to release the secondary IP family"));
  }
  return errors;
}

function singleStackErrors(object: Service): FieldError[] {
  const why = (what: string): string =>
    `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`;
  const errors: FieldError[] = [];
  if (object.spec.clusterIPs?.length === 2) errors.push(policyError(object, why("cluster IPs")));
  if (object.spec.ipFamilies?.length === 2) errors.push(policyError(object, why("IP families")));
  return errors;
}

/** Addresses chosen by the client imply the families it did not name. */
function inferFamilies({ spec }: Service, clusterFamilies: readonly IpFamily[]): FieldError[] {
  const errors: FieldError[] = [];
  const families = [...(spec.ipFamilies ?? [])];
  for (const [index, address] of (spec.clusterIPs ?? []).entries()) {
    if (address === noClusterIp) break;
    if (index < families.length) continue;
    const family = ipFamilyOf(address);
    if (family !== undefined && clusterFamilies.includes(family)) families.push(family);
    else {
      const path = FieldPath.of("spec", "clusterIPs").index(index);
      const why = `${family ?? "unknown"} is not configured on this cluster`;
      errors.push(invalid(path, spec.clusterIPs, why));
    }
  }
  if (families.length > 0) spec.ipFamilies = families;
  return errors;
}

function orDefault(families: string[] | undefined, primary: IpFamily): string[] {
  return families === undefined || families.length === 0 ? [primary] : families;
}

function addOtherFamily(families: string[]): void {
  if (families.length === 1) families.push(otherFamily(families[0]));
}

function policyError({ spec }: Service, why: string): FieldError {
  // Kubernetes prints a pointer to the policy by its value.
  const value = new PrintedValue(JSON.stringify(spec.ipFamilyPolicy ?? ""));
  return invalid(FieldPath.of("spec", "ipFamilyPolicy"), value, why);
}

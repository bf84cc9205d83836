import { append } from "../../../apimachinery/collections/append.js";
import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { cidrWarnings, ipWarnings } from "../../../apimachinery/validation/ip-fields.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { Service } from "../../gen/core-v1.js";
import { noClusterIp } from "./service-traits.js";

/** Warns of fields without effect, deprecated ones, and ambiguous values. */
export function serviceWarnings(context: ApiContext, { metadata, spec }: Service): string[] {
  const { level, naming } = context;
  if (!isAtLeast(level, "1.27")) return [];
  const warnings: string[] = [];
  const path = FieldPath.of("spec");
  const { clusterIP = "", clusterIPs = [], externalIPs = [], loadBalancerIP = "", type } = spec;
  const hints = `service.${naming.domain}/topology-aware-hints`;
  if (metadata.annotations?.[hints] !== undefined) {
    const instead = `service.${naming.domain}/topology-mode`;
    warnings.push(`annotation ${hints} is deprecated, please use ${instead} instead`);
  }
  const addressWarnings = (field: "clusterIPs" | "externalIPs", addresses: readonly string[]): string[] =>
    addresses.flatMap((address, index) => ipWarnings(path.child(field).index(index), address, context));
  if (clusterIP !== "" && clusterIP !== noClusterIp)
    append(warnings, addressWarnings("clusterIPs", clusterIPs));
  const isHeadless = type === "ClusterIP" && clusterIP === noClusterIp;
  if (isHeadless && isAtLeast(level, "1.34")) {
    if (loadBalancerIP !== "") warnings.push("spec.loadBalancerIP is ignored for headless services");
    if (externalIPs.length > 0) warnings.push("spec.externalIPs is ignored for headless services");
    if (spec.sessionAffinity !== "None")
      warnings.push("spec.SessionAffinity is ignored for headless services");
  }
  append(warnings, addressWarnings("externalIPs", externalIPs));
  if (isAtLeast(level, "1.36") && externalIPs.length > 0 && !isHeadless && type !== "ExternalName") {
    warnings.push("spec.externalIPs is deprecated and may no longer be implemented in some clusters");
  }
  if (loadBalancerIP !== "")
    append(warnings, ipWarnings(path.child("loadBalancerIP"), loadBalancerIP, context));
  for (const [index, range] of (spec.loadBalancerSourceRanges ?? []).entries()) {
    const at = path.child("loadBalancerSourceRanges").index(index);
    append(warnings, cidrWarnings(at, range, context));
  }
  if (isAtLeast(level, "1.28") && type === "ExternalName" && externalIPs.length > 0) {
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (isAtLeast(level, "1.28") && type !== "ExternalName" && (spec.externalName ?? "") !== "") {
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  if (isAtLeast(level, "1.35") && spec.trafficDistribution === "PreferClose") {
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  }
  return warnings;
}

/** Warns of addresses in unusual forms. */
export function serviceStatusWarnings(context: ApiContext, { status }: Service): string[] {
  const warnings: string[] = [];
  if (!isAtLeast(context.level, "1.33")) return warnings;
  for (const [index, { ip = "" }] of (status.loadBalancer.ingress ?? []).entries()) {
    const path = FieldPath.of("status", "loadBalancer", "ingress").index(index);
    if (ip !== "") append(warnings, ipWarnings(path, ip, context));
  }
  return warnings;
}

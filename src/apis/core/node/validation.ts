import { append } from "../../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  FieldPath,
  forbidden,
  internalError,
  invalid,
} from "../../../apimachinery/errors/field-error.js";
import { printStruct } from "../../../apimachinery/errors/printed-structs.js";
import { quoted } from "../../../apimachinery/errors/quoted-text.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { parseCidr } from "../../../apimachinery/validation/ip-addresses.js";
import { type IpRules, validateCidrField } from "../../../apimachinery/validation/ip-fields.js";
import { repeated } from "../../../apimachinery/validation/repeated.js";
import type { Naming } from "../../../naming/naming.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { Node, NodeSpec, NodeSwapStatus } from "../../gen/core-v1.js";
import type { ResourceList } from "../pod-spec/resource-list.js";
import { validateResourceQuantity } from "../pod-spec/resource-validation.js";
import { coreV1Types } from "../v1/types.js";
import { validateNodeAnnotations } from "./annotations.js";
import { validateConfigSource, validateConfigStatus } from "./config-source.js";
import { validateDeclaredFeatures } from "./declared-features.js";
import { validateTaints } from "./taints.js";

const specRules = fieldRules<NodeSpec>(coreV1Types, "NodeSpec");
const swapRules = fieldRules<NodeSwapStatus>(coreV1Types, "NodeSwapStatus");

/** `old`: its pod CIDRs stay valid. */
export function validateNode(naming: Naming, object: Node, ips: IpRules, old?: Node): FieldError[] {
  return [
    ...validateNodeAnnotations(naming, object.metadata.annotations),
    // The path is Kubernetes'.
    ...validateTaints(object.spec.taints ?? [], FieldPath.of("metadata", "taints")),
    ...amountErrors(naming, object),
    ...(isAtLeast(ips.level, "1.33") ? swapErrors(object) : []),
    ...validateDeclaredFeatures(object.status.declaredFeatures),
    ...podCidrErrors(object.spec.podCIDRs ?? [], ips, new Set(old?.spec.podCIDRs)),
  ];
}

/** For updates of the object and of its status; the checks of creation are not repeated. */
export function validateNodeUpdate(naming: Naming, object: Node, old: Node): FieldError[] {
  const { spec, status } = object;
  return [
    ...validateNodeAnnotations(naming, object.metadata.annotations),
    ...amountErrors(naming, object),
    ...validateDeclaredFeatures(object.status.declaredFeatures),
    ...addressErrors(object),
    ...cidrChangeErrors(spec.podCIDRs ?? [], old.spec.podCIDRs ?? []),
    ...providerChangeErrors(spec.providerID, old.spec.providerID ?? ""),
    ...validateConfigSource(naming, spec.configSource, FieldPath.of("spec", "configSource")),
    ...validateConfigStatus(naming, status.config, FieldPath.of("status", "config")),
    ...validateTaints(spec.taints ?? [], FieldPath.of("metadata", "taints")),
    ...specRules.unchanged(spec, old.spec, FieldPath.of("spec"), "externalID"),
  ];
}

/** One error for each CIDR that differs. */
function cidrChangeErrors(after: readonly string[], before: readonly string[]): FieldError[] {
  if (before.length === 0) return [];
  const why = 'node updates may not change podCIDR except from "" to valid';
  const error = forbidden(FieldPath.of("spec", "podCIDRs"), why);
  if (before.length !== after.length) return [error];
  return before.flatMap((cidr, index) => (after[index] === cidr ? [] : [error]));
}

function providerChangeErrors(after: string | undefined, before: string): FieldError[] {
  if (before === "" || before === after) return [];
  const why = 'node updates may not change providerID except from "" to valid';
  return [forbidden(FieldPath.of("spec", "providerID"), why)];
}

function amountErrors(naming: Naming, { status }: Node): FieldError[] {
  const check = (field: string, list: ResourceList | undefined): FieldError[] =>
    errorsOfEach(Object.entries(list ?? {}), ([name, amount]) =>
      validateResourceQuantity(name, amount, FieldPath.of("status", field, name), naming),
    );
  return [...check("capacity", status.capacity), ...check("allocatable", status.allocatable)];
}

/** The path is Kubernetes'. */
function swapErrors({ status }: Node): FieldError[] {
  const { swap } = status.nodeInfo;
  return swap === undefined
    ? []
    : swapRules.check(swap, FieldPath.of("metadata", "nodeSwapStatus"), "capacity");
}

/** At most one CIDR of each IP family. */
function podCidrErrors(cidrs: readonly string[], ips: IpRules, known: ReadonlySet<string>): FieldError[] {
  const path = FieldPath.of("spec", "podCIDRs");
  const parsed = cidrs.map(parseCidr);
  const errors: FieldError[] = [];
  for (const [index, cidr] of parsed.entries()) {
    if (isAtLeast(ips.level, "1.30")) {
      append(errors, validateCidrField(path.index(index), cidrs[index] ?? "", ips, known));
    } else if (cidr === undefined) errors.push(invalid(path.index(index), cidrs, "must be valid CIDR"));
  }
  if (cidrs.length < 2) return errors;
  const unread = parsed.indexOf(undefined);
  if (unread >= 0) errors.push(internalError(path, unreadCidr(unread, cidrs[unread] ?? "", ips)));
  const families = new Set(parsed.map((cidr) => cidr?.family));
  if (cidrs.length > 2 || families.size < 2 || families.has(undefined)) {
    errors.push(invalid(path, cidrs, "may specify no more than one CIDR for each IP family"));
  }
  if (isAtLeast(ips.level, "1.33")) return errors;
  for (const [index, cidr] of repeated(cidrs)) errors.push(duplicate(path.index(index), cidr));
  return errors;
}

function unreadCidr(index: number, cidr: string, { level }: IpRules): string {
  const reason = `invalid CIDR address: ${cidr}`;
  const problem = isAtLeast(level, "1.27")
    ? `invalid CIDR[${index}]: <nil> (${reason})`
    : `failed to parse cidr value:${quoted(cidr)} with error:${reason}`;
  return `invalid PodCIDRs. failed to check with dual stack with error:${problem}`;
}

function addressErrors({ status }: Node): FieldError[] {
  const seen = new Set<string>();
  return errorsOfEach(status.addresses, (address, index) => {
    const key = JSON.stringify([address.type, address.address]);
    if (seen.has(key)) {
      const printed = printStruct("core.NodeAddress", { Type: address.type, Address: address.address });
      return [duplicate(FieldPath.of("status", "addresses").index(index), printed)];
    }
    seen.add(key);
    return [];
  });
}

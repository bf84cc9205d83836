import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { printList } from "../../../apimachinery/errors/printed-structs.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { isStrictSubset, parseCidrBlock } from "../../../apimachinery/validation/cidr-block.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import {
  cidrWarnings,
  type IpRules,
  type IpWarningWords,
  validateCidrField,
} from "../../../apimachinery/validation/ip-fields.js";
import {
  checksSelectorValues,
  validateLabelSelector,
} from "../../../apimachinery/validation/label-selector.js";
import { ipRules } from "../../checks/ip-rules.js";
import type { ApiContext } from "../../definition/api-context.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  IPBlock,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from "../../gen/networking-v1.js";
import { networkingV1Types } from "../v1/types.js";

const blockRules = fieldRules<IPBlock>(networkingV1Types, "IPBlock");

const specRules = fieldRules<NetworkPolicySpec>(networkingV1Types, "NetworkPolicySpec");
const portRules = fieldRules<NetworkPolicyPort>(networkingV1Types, "NetworkPolicyPort");

/** An update may keep what `old` has; without `old`, every rule applies. */
export function networkPolicyRules(context: ApiContext, old?: NetworkPolicy): NetworkPolicyRules {
  const peers = old === undefined ? [] : peersOf(old);
  const selectors = peers.flatMap(({ podSelector, namespaceSelector }) => [podSelector, namespaceSelector]);
  return {
    ips: ipRules(context),
    checksValues: checksSelectorValues(context.level, [old?.spec.podSelector, ...selectors]),
    knownNetworks: new Set(peers.flatMap(({ ipBlock }) => networksOf(ipBlock))),
  };
}

export interface NetworkPolicyRules {
  readonly ips: IpRules;
  /** Whether the values of selectors are checked. */
  readonly checksValues: boolean;
  readonly knownNetworks: ReadonlySet<string>;
}

/** Warns of networks in unusual forms. */
export function networkPolicyWarnings({ spec }: NetworkPolicy, words: IpWarningWords): string[] {
  const warnings: string[] = [];
  const path = FieldPath.of("spec");
  const ofPeers = (peers: readonly NetworkPolicyPeer[] | undefined, at: FieldPath): void => {
    for (const [index, { ipBlock }] of (peers ?? []).entries()) {
      if (ipBlock === undefined) continue;
      const blockPath = at.index(index).child("ipBlock");
      append(warnings, cidrWarnings(blockPath.child("cidr"), ipBlock.cidr, words));
      for (const [exceptIndex, except] of (ipBlock.except ?? []).entries()) {
        append(warnings, cidrWarnings(blockPath.child("except").index(exceptIndex), except, words));
      }
    }
  };
  for (const [index, { from }] of (spec.ingress ?? []).entries()) {
    ofPeers(from, path.child("ingress").index(index).child("from"));
  }
  for (const [index, { to }] of (spec.egress ?? []).entries()) {
    ofPeers(to, path.child("egress").index(index).child("to"));
  }
  return warnings;
}

function peersOf({ spec }: NetworkPolicy): NetworkPolicyPeer[] {
  return [
    ...(spec.ingress ?? []).flatMap(({ from }) => from ?? []),
    ...(spec.egress ?? []).flatMap(({ to }) => to ?? []),
  ];
}

function networksOf(block: IPBlock | undefined): string[] {
  return block === undefined ? [] : [block.cidr, ...(block.except ?? [])];
}

export function validateNetworkPolicy(object: NetworkPolicy, rules: NetworkPolicyRules): FieldError[] {
  const { spec } = object;
  const path = FieldPath.of("spec");
  const errors = validateLabelSelector(spec.podSelector, path.child("podSelector"), rules.checksValues);
  append(errors, [
    ...errorsOfEach(spec.ingress, (rule, index) => {
      const at = path.child("ingress").index(index);
      return [...portErrors(rule.ports, at), ...peerErrors(rule.from, at.child("from"), rules)];
    }),
    ...errorsOfEach(spec.egress, (rule, index) => {
      const at = path.child("egress").index(index);
      return [...portErrors(rule.ports, at), ...peerErrors(rule.to, at.child("to"), rules)];
    }),
  ]);
  const types = spec.policyTypes ?? [];
  if (types.length > specRules.supported("policyTypes").length) {
    const printed = printList("networking.PolicyType", types);
    errors.push(invalid(path.child("policyTypes"), printed, "may not specify more than two policyTypes"));
    return errors;
  }
  return [...errors, ...specRules.check(spec, path, "policyTypes")];
}

function portErrors(ports: readonly NetworkPolicyPort[] | undefined, rule: FieldPath): FieldError[] {
  return errorsOfEach(ports, (port, index) => validatePort(port, rule.child("ports").index(index)));
}

function validatePort(rule: NetworkPolicyPort, path: FieldPath): FieldError[] {
  const { port, endPort } = rule;
  const errors = portRules.check(rule, path, "protocol");
  const endPath = path.child("endPort");
  if (port === undefined) {
    if (endPort !== undefined) {
      errors.push(invalid(endPath, endPort, "may not be specified when `port` is not specified"));
    }
    return errors;
  }
  if (typeof port === "string") {
    if (endPort !== undefined) {
      errors.push(invalid(endPath, endPort, "may not be specified when `port` is non-numeric"));
    }
    return [...errors, ...portRules.check(rule, path, "port")];
  }
  append(errors, portRules.check(rule, path, "port"));
  if (endPort !== undefined && endPort < port) {
    // Kubernetes shows the first port.
    errors.push(invalid(endPath, port, "must be greater than or equal to `port`"));
  }
  return [...errors, ...portRules.check(rule, path, "endPort")];
}

function peerErrors(
  peers: readonly NetworkPolicyPeer[] | undefined,
  path: FieldPath,
  rules: NetworkPolicyRules,
): FieldError[] {
  return errorsOfEach(peers, (peer, index) => validatePeer(peer, path.index(index), rules));
}

function validatePeer(peer: NetworkPolicyPeer, path: FieldPath, rules: NetworkPolicyRules): FieldError[] {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  const errors = [
    ...validateLabelSelector(podSelector, path.child("podSelector"), rules.checksValues),
    ...validateLabelSelector(namespaceSelector, path.child("namespaceSelector"), rules.checksValues),
  ];
  if (ipBlock !== undefined) append(errors, validateIpBlock(ipBlock, path.child("ipBlock"), rules));
  const hasSelector = podSelector !== undefined || namespaceSelector !== undefined;
  if (!hasSelector && ipBlock === undefined) errors.push(required(path, "must specify a peer"));
  if (hasSelector && ipBlock !== undefined) {
    errors.push(forbidden(path, "may not specify both ipBlock and another peer"));
  }
  return errors;
}

function validateIpBlock(
  block: IPBlock,
  path: FieldPath,
  { ips, knownNetworks }: NetworkPolicyRules,
): FieldError[] {
  if (block.cidr === "") return blockRules.check(block, path, "cidr");
  const formErrors = (text: string, at: FieldPath): FieldError[] => {
    if (isAtLeast(ips.level, "1.30")) return validateCidrField(at, text, ips, knownNetworks);
    return parseCidrBlock(text) === undefined ? [invalid(at, text, "not a valid CIDR")] : [];
  };
  const errors = formErrors(block.cidr, path.child("cidr"));
  const cidr = parseCidrBlock(block.cidr);
  if (cidr === undefined) return errors;
  let isAnyMalformed = false;
  return [
    ...errors,
    ...errorsOfEach(block.except, (text, index) => {
      // Before 1.30, Kubernetes stops at the first malformed one.
      if (isAnyMalformed && !isAtLeast(ips.level, "1.30")) return [];
      const at = path.child("except").index(index);
      const except = parseCidrBlock(text);
      isAnyMalformed = except === undefined;
      const found = formErrors(text, at);
      if (except === undefined || isStrictSubset(except, cidr)) return found;
      return [...found, invalid(at, text, "must be a strict subset of `cidr`")];
    }),
  ];
}

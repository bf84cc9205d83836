import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  PrintedValue,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { addressText, isStrictSubset, parseCidrBlock } from "../../../apimachinery/validation/cidr-block.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { validateLabelSelector } from "../../../apimachinery/validation/label-selector.js";
import { isValidPortNum } from "../../../apimachinery/validation/numbers.js";
import { isValidPortName } from "../../../apimachinery/validation/port-name.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  IPBlock,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from "../../gen/networking-v1.js";

const specRules = fieldRules<NetworkPolicySpec>("networking/v1.NetworkPolicySpec");
const portRules = fieldRules<NetworkPolicyPort>("networking/v1.NetworkPolicyPort");

export function validateNetworkPolicy(object: NetworkPolicy): FieldError[] {
  const { spec } = object;
  const path = FieldPath.of("spec");
  const errors = validateLabelSelector(spec.podSelector, path.child("podSelector"));
  append(errors, [
    ...errorsOfEach(spec.ingress, (rule, index) => {
      const at = path.child("ingress").index(index);
      return [...portErrors(rule.ports, at), ...peerErrors(rule.from, at.child("from"))];
    }),
    ...errorsOfEach(spec.egress, (rule, index) => {
      const at = path.child("egress").index(index);
      return [...portErrors(rule.ports, at), ...peerErrors(rule.to, at.child("to"))];
    }),
  ]);
  const types = spec.policyTypes ?? [];
  if (types.length > specRules.supported("policyTypes").length) {
    const printed = new PrintedValue(
      `[]networking.PolicyType{${types.map((type) => JSON.stringify(type)).join(", ")}}`,
    );
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
    for (const problem of isValidPortName(port)) errors.push(invalid(path.child("port"), port, problem));
    return errors;
  }
  for (const problem of isValidPortNum(port)) errors.push(invalid(path.child("port"), port, problem));
  if (endPort === undefined) return errors;
  if (endPort < port) {
    errors.push(invalid(endPath, endPort, "must be greater than or equal to `port`"));
  }
  for (const problem of isValidPortNum(endPort)) errors.push(invalid(endPath, endPort, problem));
  return errors;
}

function peerErrors(peers: readonly NetworkPolicyPeer[] | undefined, path: FieldPath): FieldError[] {
  return errorsOfEach(peers, (peer, index) => validatePeer(peer, path.index(index)));
}

function validatePeer(peer: NetworkPolicyPeer, path: FieldPath): FieldError[] {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  const errors = [
    ...validateLabelSelector(podSelector, path.child("podSelector")),
    ...validateLabelSelector(namespaceSelector, path.child("namespaceSelector")),
  ];
  if (ipBlock !== undefined) append(errors, validateIpBlock(ipBlock, path.child("ipBlock")));
  const hasSelector = podSelector !== undefined || namespaceSelector !== undefined;
  if (!hasSelector && ipBlock === undefined) errors.push(required(path, "must specify a peer"));
  if (hasSelector && ipBlock !== undefined) {
    errors.push(forbidden(path, "may not specify both ipBlock and another peer"));
  }
  return errors;
}

function validateIpBlock(block: IPBlock, path: FieldPath): FieldError[] {
  if (block.cidr === "") return [required(path.child("cidr"), "")];
  const cidr = parseCidrBlock(block.cidr);
  if (cidr === undefined) return [invalid(path.child("cidr"), block.cidr, "not a valid CIDR")];
  let isAnyMalformed = false;
  return errorsOfEach(block.except, (text, index) => {
    // Kubernetes stops at the first one.
    if (isAnyMalformed) return [];
    const at = path.child("except").index(index);
    const except = parseCidrBlock(text);
    isAnyMalformed = except === undefined;
    if (except === undefined) return [invalid(at, text, "not a valid CIDR")];
    if (isStrictSubset(except, cidr)) return [];
    const printed = new PrintedValue(addressText(except.network));
    return [invalid(at, printed, "must be a strict subset of `cidr`")];
  });
}

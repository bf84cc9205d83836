import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  FieldPath,
  hasErrors,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { printList } from "../../../apimachinery/errors/printed-structs.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { isDns1035Label, isDns1123Label } from "../../../apimachinery/validation/dns-names.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { ipFamilyOf } from "../../../apimachinery/validation/ip-addresses.js";
import { ipWarnings, validateIpField } from "../../../apimachinery/validation/ip-fields.js";
import { ipRules } from "../../checks/ip-rules.js";
import { problemsAt } from "../../checks/value-checks.js";
import type { ApiContext } from "../../definition/api-context.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  HTTPIngressPath,
  HTTPIngressRuleValue,
  Ingress,
  IngressBackend,
  IngressLoadBalancerIngress,
  IngressRule,
  IngressServiceBackend,
  IngressSpec,
  IngressTLS,
  ServiceBackendPort,
} from "../../gen/networking-v1.js";
import { validateObjectReference } from "../object-reference.js";
import { networkingV1Types } from "../v1/types.js";

const specRules = fieldRules<IngressSpec>(networkingV1Types, "IngressSpec");
const tlsRules = fieldRules<IngressTLS>(networkingV1Types, "IngressTLS");
const ruleRules = fieldRules<IngressRule>(networkingV1Types, "IngressRule");
const ruleValueRules = fieldRules<HTTPIngressRuleValue>(networkingV1Types, "HTTPIngressRuleValue");
const backendRules = fieldRules<IngressServiceBackend>(networkingV1Types, "IngressServiceBackend");
const portRules = fieldRules<ServiceBackendPort>(networkingV1Types, "ServiceBackendPort");
const statusRules = fieldRules<IngressLoadBalancerIngress>(networkingV1Types, "IngressLoadBalancerIngress");
const pathRules = fieldRules<HTTPIngressPath>(networkingV1Types, "HTTPIngressPath");
const forbiddenSequences = ["//", "/./", "/../", "%2f", "%2F"];
const forbiddenEndings = ["/..", "/."];
const notAnAddress = "must be a DNS name, not an IP address";

/** Values that stored objects may keep although newer rules forbid them. */
interface Allowances {
  readonly anySecretName: boolean;
  readonly anyWildcardRule: boolean;
  /** Whether names of services may begin with a digit. */
  readonly relaxedServiceNames: boolean;
}

export function validateIngressCreate(object: Ingress, context: ApiContext): FieldError[] {
  const errors = validateIngress(object, {
    anySecretName: false,
    anyWildcardRule: false,
    relaxedServiceNames: context.isEnabled("RelaxedServiceNameValidation"),
  });
  const annotation = `${context.naming.domain}/ingress.class`;
  const value = object.metadata.annotations?.[annotation];
  const { ingressClassName } = object.spec;
  if (value === undefined || ingressClassName === undefined) return errors;
  const path = FieldPath.of("annotations").child(annotation);
  if (!isAtLeast(context.level, "1.27")) {
    errors.push(invalid(path, value, "can not be set when the class field is also set"));
  } else if (value !== ingressClassName) {
    errors.push(invalid(path, value, "must match `ingressClassName` when both are specified"));
  }
  return errors;
}

export function validateIngressUpdate(object: Ingress, old: Ingress, context: ApiContext): FieldError[] {
  return validateIngress(object, {
    relaxedServiceNames:
      context.isEnabled("RelaxedServiceNameValidation") ||
      backendsOf(old).some(
        ({ service }) =>
          service !== undefined &&
          isDns1035Label(service.name).length > 0 &&
          isDns1123Label(service.name).length === 0,
      ),
    anySecretName: (old.spec.tls ?? []).some((tls) => hasErrors(() => secretNameErrors(tls, FieldPath.root))),
    anyWildcardRule: (old.spec.rules ?? []).some(
      (rule) =>
        isWildcard(rule.host) && hasErrors(() => ruleValueErrors(rule, FieldPath.of(""), isDns1035Label)),
    ),
  });
}

/** Warns of the annotation that came before the field, where only the annotation names the class. */
export function ingressWarnings({ level, naming }: ApiContext, { metadata, spec }: Ingress): string[] {
  const annotation = `${naming.domain}/ingress.class`;
  if (!isAtLeast(level, "1.27") || metadata.annotations?.[annotation] === undefined) return [];
  if (spec.ingressClassName !== undefined) return [];
  return [`annotation "${annotation}" is deprecated, please use 'spec.ingressClassName' instead`];
}

/** Warns of addresses in unusual forms. */
export function ingressStatusWarnings(context: ApiContext, { status }: Ingress): string[] {
  const warnings: string[] = [];
  if (!isAtLeast(context.level, "1.33")) return warnings;
  for (const [index, { ip = "" }] of (status.loadBalancer.ingress ?? []).entries()) {
    const path = FieldPath.of("status", "loadBalancer", "ingress").index(index);
    if (ip !== "") append(warnings, ipWarnings(path, ip, context));
  }
  return warnings;
}

function backendsOf({ spec }: Ingress): IngressBackend[] {
  const ofRules = (spec.rules ?? []).flatMap(({ http }) => (http?.paths ?? []).map(({ backend }) => backend));
  return spec.defaultBackend === undefined ? ofRules : [spec.defaultBackend, ...ofRules];
}

export function validateIngressStatus(object: Ingress, old: Ingress, context: ApiContext): FieldError[] {
  const path = FieldPath.of("status", "loadBalancer", "ingress");
  const known = new Set((old.status.loadBalancer.ingress ?? []).map(({ ip = "" }) => ip));
  return (object.status.loadBalancer.ingress ?? []).flatMap((ingress, index) => {
    const { ip = "", hostname = "" } = ingress;
    const errors: FieldError[] = [];
    const at = path.index(index);
    if (isAtLeast(context.level, "1.30")) {
      if (ip !== "") append(errors, validateIpField(at.child("ip"), ip, ipRules(context), known));
    } else if (ip !== "" && ipFamilyOf(ip) === undefined) {
      errors.push(invalid(at.child("ip"), ip, "must be a valid IP address"));
    }
    append(errors, statusRules.check(ingress, at, "hostname"));
    if (ipFamilyOf(hostname) !== undefined)
      errors.push(invalid(at.child("hostname"), hostname, notAnAddress));
    return errors;
  });
}

function validateIngress(object: Ingress, allowances: Allowances): FieldError[] {
  const { spec } = object;
  const path = FieldPath.of("spec");
  const errors: FieldError[] = [];
  const rules = spec.rules ?? [];
  const nameProblems = allowances.relaxedServiceNames ? isDns1123Label : isDns1035Label;
  if (rules.length === 0 && spec.defaultBackend === undefined) {
    errors.push(
      invalid(
        path,
        printList("networking.IngressRule", spec.rules && []),
        "either `defaultBackend` or `rules` must be specified",
      ),
    );
  }
  if (spec.defaultBackend !== undefined) {
    append(errors, validateBackend(spec.defaultBackend, path.child("defaultBackend"), nameProblems));
  }
  append(
    errors,
    errorsOfEach(rules, (rule, index) => validateRule(rule, path.child("rules").index(index), allowances)),
  );
  for (const [index, tls] of (spec.tls ?? []).entries()) {
    const at = path.child("tls").index(index);
    append(errors, tlsRules.check(tls, at, "hosts"));
    if (!allowances.anySecretName) append(errors, secretNameErrors(tls, at));
  }
  return [...errors, ...specRules.check(spec, path, "ingressClassName")];
}

function secretNameErrors(tls: IngressTLS, path: FieldPath): FieldError[] {
  return tlsRules.check(tls, path, "secretName");
}

function validateRule(rule: IngressRule, path: FieldPath, allowances: Allowances): FieldError[] {
  const errors: FieldError[] = [];
  const { host = "" } = rule;
  if (ipFamilyOf(host) !== undefined) errors.push(invalid(path.child("host"), host, notAnAddress));
  append(errors, ruleRules.check(rule, path, "host"));
  if (isWildcard(host) && allowances.anyWildcardRule) return errors;
  const nameProblems = allowances.relaxedServiceNames ? isDns1123Label : isDns1035Label;
  return [...errors, ...ruleValueErrors(rule, path, nameProblems)];
}

type NameProblems = (name: string) => string[];

function ruleValueErrors(rule: IngressRule, path: FieldPath, nameProblems: NameProblems): FieldError[] {
  if (rule.http === undefined) return [];
  const at = path.child("http");
  const { paths = [] } = rule.http;
  return [
    ...ruleValueRules.check(rule.http, at, "paths"),
    ...errorsOfEach(paths, (value, index) =>
      validatePath(value, at.child("paths").index(index), nameProblems),
    ),
  ];
}

function validatePath(value: HTTPIngressPath, at: FieldPath, nameProblems: NameProblems): FieldError[] {
  const { path = "", pathType } = value;
  const errors: FieldError[] = [];
  const refuse = (detail: string): void => {
    errors.push(invalid(at.child("path"), path, detail));
  };
  switch (pathType) {
    case undefined:
      return pathRules.check(value, at, "pathType");
    case "Exact":
    case "Prefix":
      if (!path.startsWith("/")) refuse("must be an absolute path");
      for (const part of forbiddenSequences) if (path.includes(part)) refuse(`must not contain '${part}'`);
      for (const end of forbiddenEndings) if (path.endsWith(end)) refuse(`cannot end with '${end}'`);
      break;
    case "ImplementationSpecific":
      if (path !== "" && !path.startsWith("/")) refuse("must be an absolute path");
      break;
    default:
      append(errors, pathRules.check(value, at, "pathType"));
  }
  return [...errors, ...validateBackend(value.backend, at.child("backend"), nameProblems)];
}

function validateBackend(backend: IngressBackend, path: FieldPath, nameProblems: NameProblems): FieldError[] {
  const { resource, service } = backend;
  if (resource !== undefined && service !== undefined) {
    return [invalid(path, "", "cannot set both resource and service backends")];
  }
  if (resource !== undefined) return validateObjectReference(resource, path.child("resource"));
  if (service !== undefined) return validateServiceBackend(service, path, nameProblems);
  return [invalid(path, "", "resource or service backend is required")];
}

function validateServiceBackend(
  backend: IngressServiceBackend,
  path: FieldPath,
  nameProblems: NameProblems,
): FieldError[] {
  const { name, port } = backend;
  const service = path.child("service");
  const errors = backendRules.check(backend, service, "name");
  if (name !== "") append(errors, problemsAt(service.child("name"), name, nameProblems(name)));
  const { name: portName = "", number = 0 } = port;
  if (portName !== "" && number !== 0) {
    errors.push(invalid(path, "", "cannot set both port name & port number"));
  } else if (portName === "" && number === 0) {
    errors.push(required(path, "port name or number is required"));
  } else append(errors, portRules.check(port, service.child("port"), "name", "number"));
  return errors;
}

function isWildcard(host: string | undefined): boolean {
  return host?.includes("*") ?? false;
}

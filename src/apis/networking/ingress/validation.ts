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
import {
  isDns1035Label,
  isDns1123Label,
  isDns1123Subdomain,
  isWildcardDns1123Subdomain,
} from "../../../apimachinery/validation/dns-names.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { ipFamilyOf } from "../../../apimachinery/validation/ip-addresses.js";
import { ipWarnings, validateIpField } from "../../../apimachinery/validation/ip-fields.js";
import { isValidPortNum } from "../../../apimachinery/validation/numbers.js";
import { isValidPortName } from "../../../apimachinery/validation/port-name.js";
import { ipRules } from "../../checks/ip-rules.js";
import { problemsAt } from "../../checks/value-checks.js";
import type { ApiContext } from "../../definition/api-context.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  HTTPIngressPath,
  Ingress,
  IngressBackend,
  IngressRule,
  IngressServiceBackend,
} from "../../gen/networking-v1.js";
import { validateObjectReference } from "../object-reference.js";
import { networkingV1Types } from "../v1/types.js";

const backendRules = fieldRules<IngressServiceBackend>(networkingV1Types, "IngressServiceBackend");

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
  if (value !== undefined && object.spec.ingressClassName !== undefined) {
    const path = FieldPath.of("annotations").child(annotation);
    errors.push(invalid(path, value, "can not be set when the class field is also set"));
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
    anySecretName: (old.spec.tls ?? []).some(({ secretName }) => secretNameProblems(secretName).length > 0),
    anyWildcardRule: (old.spec.rules ?? []).some(
      (rule) =>
        isWildcard(rule.host) && hasErrors(() => ruleValueErrors(rule, FieldPath.of(""), isDns1035Label)),
    ),
  });
}

/** Warns of the annotation that came before the field. */
export function ingressWarnings({ level, naming }: ApiContext, { metadata }: Ingress): string[] {
  const annotation = `${naming.domain}/ingress.class`;
  if (!isAtLeast(level, "1.27") || metadata.annotations?.[annotation] === undefined) return [];
  return [`annotation "${annotation}" is deprecated, please use 'spec.ingressClassName' instead`];
}

/** Warns of addresses in unusual forms. */
export function ingressStatusWarnings(context: ApiContext, { status }: Ingress): string[] {
  const warnings: string[] = [];
  if (!isAtLeast(context.level, "1.33")) return warnings;
  for (const [index, { ip = "" }] of (status.loadBalancer.ingress ?? []).entries()) {
    const path = FieldPath.of("status", "loadBalancer", "ingress").index(index).child("ip");
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
  return (object.status.loadBalancer.ingress ?? []).flatMap(({ ip = "", hostname = "" }, index) => {
    const errors: FieldError[] = [];
    const at = path.index(index);
    if (isAtLeast(context.level, "1.33")) {
      if (ip !== "") append(errors, validateIpField(at.child("ip"), ip, ipRules(context), known));
    } else if (ip !== "" && ipFamilyOf(ip) === undefined) {
      errors.push(invalid(at.child("ip"), ip, "must be a valid IP address"));
    }
    if (hostname === "") return errors;
    for (const problem of isDns1123Subdomain(hostname)) {
      errors.push(invalid(at.child("hostname"), hostname, problem));
    }
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
  for (const [index, { hosts, secretName }] of (spec.tls ?? []).entries()) {
    const at = path.child("tls").index(index);
    for (const [hostIndex, host] of (hosts ?? []).entries()) {
      for (const problem of hostProblems(host)) {
        errors.push(invalid(at.child("hosts").index(hostIndex), host, problem));
      }
    }
    if (allowances.anySecretName) continue;
    for (const problem of secretNameProblems(secretName)) {
      errors.push(invalid(at.child("secretName"), secretName, problem));
    }
  }
  if (spec.ingressClassName !== undefined) {
    for (const problem of isDns1123Subdomain(spec.ingressClassName)) {
      errors.push(invalid(path.child("ingressClassName"), spec.ingressClassName, problem));
    }
  }
  return errors;
}

function validateRule(rule: IngressRule, path: FieldPath, allowances: Allowances): FieldError[] {
  const errors: FieldError[] = [];
  const { host = "" } = rule;
  if (host !== "") {
    if (ipFamilyOf(host) !== undefined) errors.push(invalid(path.child("host"), host, notAnAddress));
    for (const problem of hostProblems(host)) errors.push(invalid(path.child("host"), host, problem));
  }
  if (isWildcard(host) && allowances.anyWildcardRule) return errors;
  const nameProblems = allowances.relaxedServiceNames ? isDns1123Label : isDns1035Label;
  return [...errors, ...ruleValueErrors(rule, path, nameProblems)];
}

type NameProblems = (name: string) => string[];

function ruleValueErrors(rule: IngressRule, path: FieldPath, nameProblems: NameProblems): FieldError[] {
  if (rule.http === undefined) return [];
  const at = path.child("http", "paths");
  const paths = rule.http.paths ?? [];
  if (paths.length === 0) return [required(at, "")];
  return errorsOfEach(paths, (value, index) => validatePath(value, at.index(index), nameProblems));
}

function validatePath(value: HTTPIngressPath, at: FieldPath, nameProblems: NameProblems): FieldError[] {
  const { path = "", pathType } = value;
  const errors: FieldError[] = [];
  const refuse = (detail: string): void => {
    errors.push(invalid(at.child("path"), path, detail));
  };
  switch (pathType) {
    case undefined:
      return [required(at.child("pathType"), "pathType must be specified")];
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
  } else if (portName !== "") {
    for (const problem of isValidPortName(portName)) {
      errors.push(invalid(service.child("port", "name"), portName, problem));
    }
  } else if (number !== 0) {
    for (const problem of isValidPortNum(number)) {
      errors.push(invalid(service.child("port", "number"), number, problem));
    }
  } else {
    errors.push(required(path, "port name or number is required"));
  }
  return errors;
}

function isWildcard(host: string | undefined): boolean {
  return host?.includes("*") ?? false;
}

function hostProblems(host: string): string[] {
  return isWildcard(host) ? isWildcardDns1123Subdomain(host) : isDns1123Subdomain(host);
}

function secretNameProblems(name: string | undefined): string[] {
  return name === undefined || name === "" ? [] : isDns1123Subdomain(name);
}

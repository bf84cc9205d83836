import { append } from "../../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { printList, printPointer, printStruct } from "../../../apimachinery/errors/printed-structs.js";
import { PrintedValue } from "../../../apimachinery/errors/printed-value.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { parseCidr } from "../../../apimachinery/validation/ip-addresses.js";
import { validateCidrField, validateIpField } from "../../../apimachinery/validation/ip-fields.js";
import { annotationsBytesMax, validateLabels } from "../../../apimachinery/validation/labels.js";
import { ipRules } from "../../checks/ip-rules.js";
import { validateNonSpecialIp } from "../../checks/non-special-ip.js";
import { printIntOrString } from "../../checks/printed-values.js";
import { validateDnsSubdomain } from "../../checks/value-checks.js";
import type { ApiContext } from "../../definition/api-context.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  ClientIPConfig,
  Service,
  ServicePort,
  ServiceSpec,
  SessionAffinityConfig,
} from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";
import { validateClusterIps } from "./cluster-ip-validation.js";
import { validateServicePorts } from "./port-validation.js";
import { isHeadless, noClusterIp } from "./service-traits.js";
import {
  validateExternalTraffic,
  validateInternalTraffic,
  validateLoadBalancerClass,
  validateTrafficDistribution,
} from "./traffic-validation.js";

/** The agent of every node listens there. */
const nodeAgentPort = 10_250;
const specRules = fieldRules<ServiceSpec>(coreV1Types, "ServiceSpec");
const affinityRules = fieldRules<SessionAffinityConfig>(coreV1Types, "SessionAffinityConfig");
const clientIpRules = fieldRules<ClientIPConfig>(coreV1Types, "ClientIPConfig");

/** Validates a new service, or an update of `old`. */
export function validateService(
  context: ApiContext,
  object: Service,
  old: Service | undefined,
): FieldError[] {
  return [
    ...topologyErrors(context, object),
    ...specErrors(context, object, old),
    ...mixedProtocolErrors(context, object, old),
  ];
}

/** The deprecated annotation must agree with its successor. */
function topologyErrors({ level, naming }: ApiContext, { metadata }: Service): FieldError[] {
  if (!isAtLeast(level, "1.27")) return [];
  const deprecated = `service.${naming.domain}/topology-aware-hints`;
  const mode = `service.${naming.domain}/topology-mode`;
  const { [deprecated]: hints, [mode]: value } = metadata.annotations ?? {};
  if (hints === undefined || value === undefined || hints === value) return [];
  const why = `must match annotations[${deprecated}] when both are specified`;
  return [invalid(FieldPath.of("metadata", "annotations").key(mode), value, why)];
}

function specErrors(context: ApiContext, object: Service, old: Service | undefined): FieldError[] {
  const { spec } = object;
  const rules = ipRules(context);
  const knownIps = new Set(old?.spec.externalIPs);
  const path = FieldPath.of("spec");
  const errors: FieldError[] = [];
  const { ports = [], type = "" } = spec;
  if (ports.length === 0 && !isHeadless(object) && type !== "ExternalName") {
    errors.push(required(path.child("ports"), ""));
  }
  append(errors, [
    ...ofTypeErrors(context, object, path),
    ...validateServicePorts(ports, path.child("ports")),
    ...validateLabels(spec.selector, path.child("selector")),
    ...affinityErrors(object, path),
    ...validateClusterIps(object, old, rules),
  ]);
  return [
    ...errors,
    ...errorsOfEach(spec.externalIPs, (address, index) => {
      const addressPath = path.child("externalIPs").index(index);
      const problems = validateIpField(addressPath, address, rules, knownIps);
      return problems.length > 0 ? problems : validateNonSpecialIp(address, addressPath);
    }),
    ...specRules.check(spec, path, "type"),
    ...nodePortErrors(object, path.child("ports")),
    ...samePortErrors(object, path.child("ports")),
    ...sourceRangeErrors(context, object, old, path),
    ...portControlErrors(context, object, path),
    ...validateLoadBalancerClass(undefined, object),
    ...validateExternalTraffic(object, context.level),
    ...validateInternalTraffic(context, object),
    ...validateTrafficDistribution(context, object),
  ];
}

function ofTypeErrors(context: ApiContext, object: Service, path: FieldPath): FieldError[] {
  const { spec } = object;
  const errors: FieldError[] = [];
  const headless = (): void => {
    if (!isHeadless(object)) return;
    const why = `may not be set to 'None' for ${spec.type} services`;
    errors.push(invalid(path.child("clusterIPs").index(0), noClusterIp, why));
  };
  switch (spec.type) {
    case "LoadBalancer":
      for (const [index, { port }] of (spec.ports ?? []).entries()) {
        if (port !== nodeAgentPort || isAtLeast(context.level, "1.33")) continue;
        const why = `may not expose port ${nodeAgentPort} externally since it is used by ${context.naming.nodeAgentName}`;
        errors.push(invalid(path.child("ports").index(index), port, why));
      }
      headless();
      break;
    case "NodePort":
      headless();
      break;
    case "ExternalName": {
      const why = "may not be set for ExternalName services";
      if ((spec.clusterIPs ?? []).length > 0) errors.push(forbidden(path.child("clusterIPs"), why));
      if ((spec.ipFamilies ?? []).length > 0) errors.push(forbidden(path.child("ipFamilies"), why));
      if (spec.ipFamilyPolicy !== undefined) errors.push(forbidden(path.child("ipFamilyPolicy"), why));
      const name = (spec.externalName ?? "").replace(/\.$/, "");
      if (name === "") errors.push(required(path.child("externalName"), ""));
      else append(errors, validateDnsSubdomain(name, path.child("externalName")));
      break;
    }
  }
  return errors;
}

function affinityErrors({ spec }: Service, path: FieldPath): FieldError[] {
  const { sessionAffinity = "", sessionAffinityConfig: config } = spec;
  const errors = specRules.check(spec, path, "sessionAffinity");
  const configPath = path.child("sessionAffinityConfig");
  if (sessionAffinity === "None" && config !== undefined) {
    errors.push(forbidden(configPath, "must not be set when session affinity is None"));
  }
  if (sessionAffinity !== "ClientIP") return errors;
  if (config === undefined) {
    return [...errors, required(configPath, "when session affinity type is ClientIP")];
  }
  append(errors, affinityRules.check(config, configPath, "clientIP"));
  if (config.clientIP === undefined) return errors;
  return [...errors, ...clientIpRules.check(config.clientIP, configPath.child("clientIP"), "timeoutSeconds")];
}

function nodePortErrors({ spec }: Service, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const ports = spec.ports ?? [];
  if (spec.type === "ClusterIP") {
    for (const [index, { nodePort = 0 }] of ports.entries()) {
      if (nodePort === 0) continue;
      const why = "may not be used when `type` is 'ClusterIP'";
      errors.push(forbidden(path.index(index).child("nodePort"), why));
    }
  }
  const seen = new Set<string>();
  return [
    ...errors,
    ...errorsOfEach(ports, ({ nodePort = 0, protocol = "" }, index) => {
      if (nodePort === 0) return [];
      const key = `${protocol}/${nodePort}`;
      if (seen.has(key)) return [duplicate(path.index(index).child("nodePort"), nodePort)];
      seen.add(key);
      return [];
    }),
  ];
}

function samePortErrors({ spec }: Service, path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return errorsOfEach(spec.ports, ({ port, protocol = "" }, index) => {
    const key = `${protocol}/${port}`;
    if (seen.has(key)) return [duplicate(path.index(index), printPort(protocol, port))];
    seen.add(key);
    return [];
  });
}

function printPort(protocol: string, port: number): PrintedValue {
  return new PrintedValue(
    `core.ServicePort{Name:"", Protocol:${JSON.stringify(protocol)}, AppProtocol:(*string)(nil), Port:${port}, TargetPort:intstr.IntOrString{Type:0, IntVal:0, StrVal:""}, NodePort:0}`,
    { Name: "", Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 },
  );
}

/** From the field or the deprecated annotation. */
function sourceRangeErrors(
  context: ApiContext,
  object: Service,
  old: Service | undefined,
  path: FieldPath,
): FieldError[] {
  const annotation = `service.beta.${context.naming.domain}/load-balancer-source-ranges`;
  const annotated = object.metadata.annotations?.[annotation];
  const ranges = object.spec.loadBalancerSourceRanges ?? [];
  if (ranges.length === 0 && annotated === undefined) return [];
  const isField = ranges.length > 0;
  const fieldPath = isField
    ? path.child("LoadBalancerSourceRanges")
    : FieldPath.of("metadata", "annotations").key(annotation);
  const errors: FieldError[] = [];
  if (object.spec.type !== "LoadBalancer") {
    errors.push(forbidden(fieldPath, "may only be used when `type` is 'LoadBalancer'"));
  }
  const given = isField ? ranges : rangesOfAnnotation(annotated ?? "");
  if (isAtLeast(context.level, "1.30")) {
    const known = isField
      ? (old?.spec.loadBalancerSourceRanges ?? [])
      : rangesOfAnnotation(old?.metadata.annotations?.[annotation] ?? "");
    const knownRanges = new Set(known.map((range) => range.trim()));
    const rules = ipRules(context);
    return [
      ...errors,
      ...errorsOfEach(given, (range, index) =>
        validateCidrField(isField ? fieldPath.index(index) : fieldPath, range.trim(), rules, knownRanges),
      ),
    ];
  }
  if (given.some((range) => parseCidr(range.trim()) === undefined)) {
    const shown = isField ? `[${ranges.join(" ")}]` : annotated;
    const why = "must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ";
    errors.push(invalid(fieldPath, shown, why));
  }
  return errors;
}

function rangesOfAnnotation(text: string): string[] {
  // Longer annotations are refused as a whole, so their text is not checked.
  if (text.length > annotationsBytesMax) return [];
  return text.trim() === "" ? [] : text.trim().split(",");
}

function portControlErrors(context: ApiContext, { spec }: Service, path: FieldPath): FieldError[] {
  const isLoadBalancer = spec.type === "LoadBalancer";
  const isSet = spec.allocateLoadBalancerNodePorts !== undefined;
  if (isSet && !isLoadBalancer) {
    const why = "may only be used when `type` is 'LoadBalancer'";
    return [forbidden(path.child("allocateLoadBalancerNodePorts"), why)];
  }
  if (isLoadBalancer && !isSet && context.isEnabled("ServiceLBNodePortControl")) {
    return [required(FieldPath.of("allocateLoadBalancerNodePorts"), "")];
  }
  return [];
}

/** Ports of several protocols need the feature gate, unless the old object has them. */
function mixedProtocolErrors(context: ApiContext, object: Service, old: Service | undefined): FieldError[] {
  if (object.spec.type !== "LoadBalancer" || context.isEnabled("MixedProtocolLBService")) return [];
  if (!hasMixedProtocols(object) || (old !== undefined && hasMixedProtocols(old))) return [];
  const why = isAtLeast(context.level, "1.24")
    ? "may not contain a mix of protocols when 'type' is 'LoadBalancer'"
    : "may not contain more than 1 protocol when type is 'LoadBalancer'";
  return [invalid(FieldPath.of("spec", "ports"), printPorts(object.spec.ports), why)];
}

function printPorts(ports: readonly ServicePort[] | undefined): PrintedValue {
  const type = "core.ServicePort";
  const printed = ports?.map((port) =>
    printStruct(type, {
      Name: port.name ?? "",
      Protocol: port.protocol ?? "",
      AppProtocol: printPointer("string", port.appProtocol),
      Port: port.port,
      TargetPort: printIntOrString(port.targetPort),
      NodePort: port.nodePort ?? 0,
    }),
  );
  return printList(type, printed);
}

function hasMixedProtocols({ spec }: Service): boolean {
  return new Set((spec.ports ?? []).map(({ protocol }) => protocol || "TCP")).size > 1;
}

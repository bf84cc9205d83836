import { append } from "../../../apimachinery/collections/append.js";
import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import {
  duplicate,
  type FieldError,
  FieldPath,
  internalError,
  invalid,
  tooMany,
} from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { validateFullyQualifiedDomainName } from "../../../apimachinery/validation/dns-names.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import {
  type IpFamily,
  ipFamilyOf,
  validateIpv4Address,
  validateIpv6Address,
} from "../../../apimachinery/validation/ip-addresses.js";
import {
  canonicalIpProblems,
  type IpRules,
  validateIpField,
} from "../../../apimachinery/validation/ip-fields.js";
import { validateLabels } from "../../../apimachinery/validation/labels.js";
import { validateNonSpecialIp } from "../../checks/non-special-ip.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  Endpoint,
  EndpointHints,
  EndpointPort,
  EndpointSlice,
  ForNode,
  ForZone,
} from "../../gen/discovery-v1.js";
import { discoveryV1Types } from "../v1/types.js";

const endpointRules = fieldRules<Endpoint>(discoveryV1Types, "Endpoint");
const hintsRules = fieldRules<EndpointHints>(discoveryV1Types, "EndpointHints");

const sliceRules = fieldRules<EndpointSlice>(discoveryV1Types, "EndpointSlice");
const portRules = fieldRules<EndpointPort>(discoveryV1Types, "EndpointPort");
const zoneRules = fieldRules<ForZone>(discoveryV1Types, "ForZone");
const nodeRules = fieldRules<ForNode>(discoveryV1Types, "ForNode");
const topologyLabelsMax = 16;

export interface EndpointSliceRules {
  /** Prefix of well-known labels. */
  readonly domain: string;
  readonly ips: IpRules;
  /** Whether invalid endpoints stay valid if they did not change. Their errors then come last. */
  readonly keepsEndpoints: boolean;
}

interface KnownAddresses {
  /** Values of the old slice, which stay valid. */
  readonly known: ReadonlySet<string>;
}

/** Endpoints that `old` has stay valid: since 1.33 if none changed, and addresses where they must be strict. */
export function validateEndpointSlice(
  object: EndpointSlice,
  rules: EndpointSliceRules,
  old?: EndpointSlice,
): FieldError[] {
  const { addressType, endpoints = [], ports = [] } = object;
  const { ips } = rules;
  const known = new Set(ips.strict ? (old?.endpoints ?? []).flatMap(({ addresses = [] }) => addresses) : []);
  const typeErrors = sliceRules.check(object, FieldPath.root, "addressType");
  const portErrors = validatePorts(ports, FieldPath.of("ports"));
  const endpointsPath = FieldPath.of("endpoints");
  const tooManyEndpoints = sliceRules.check(object, FieldPath.root, "endpoints");
  const endpointErrors =
    tooManyEndpoints.length > 0
      ? tooManyEndpoints
      : errorsOfEach(endpoints, (endpoint, index) =>
          validateEndpoint(endpoint, addressType, endpointsPath.index(index), { ...rules, known }),
        );
  if (!rules.keepsEndpoints) return [...typeErrors, ...endpointErrors, ...portErrors];
  // The comparison takes long, so it runs only if there are errors.
  const areKept =
    endpointErrors.length > 0 && old !== undefined && isDeepEqual(old.endpoints ?? [], endpoints);
  return areKept ? [...typeErrors, ...portErrors] : [...typeErrors, ...portErrors, ...endpointErrors];
}

export function validateEndpointSliceUpdate(
  object: EndpointSlice,
  old: EndpointSlice,
  rules: EndpointSliceRules,
): FieldError[] {
  return [
    ...validateEndpointSlice(object, rules, old),
    ...sliceRules.unchanged(object, old, FieldPath.root, "addressType"),
  ];
}

function validateEndpoint(
  endpoint: Endpoint,
  addressType: string,
  path: FieldPath,
  { domain, ips, known }: EndpointSliceRules & KnownAddresses,
): FieldError[] {
  const { addresses = [], deprecatedTopology = {}, hints } = endpoint;
  const errors = endpointRules.check(endpoint, path, "addresses");
  const addressesPath = path.child("addresses");
  append(
    errors,
    errorsOfEach(addresses, (address, index) =>
      validateAddress(
        address,
        addressType,
        { list: addressesPath, at: addressesPath.index(index) },
        { ips, known },
      ),
    ),
  );
  append(errors, endpointRules.check(endpoint, path, "nodeName"));
  const topologyPath = path.child("deprecatedTopology");
  const labels = Object.keys(deprecatedTopology).length;
  if (labels > topologyLabelsMax) errors.push(tooMany(topologyPath, labels, topologyLabelsMax));
  append(errors, validateLabels(deprecatedTopology, topologyPath));
  const zoneKey = `topology.${domain}/zone`;
  if (deprecatedTopology[zoneKey] !== undefined) {
    errors.push(internalError(topologyPath.key(zoneKey), "reserved key was not removed in conversion"));
  }
  append(errors, endpointRules.check(endpoint, path, "hostname"));
  if (hints !== undefined) {
    const hintsPath = path.child("hints");
    append(errors, validateZones(hints.forZones ?? [], hintsPath.child("forZones")));
    append(errors, validateNodes(hints.forNodes ?? [], hintsPath.child("forNodes")));
  }
  return errors;
}

function validateAddress(
  address: string,
  addressType: string,
  paths: AddressPaths,
  rules: IpsOfSlice,
): FieldError[] {
  switch (addressType) {
    case "IPv4":
    case "IPv6":
      return isAtLeast(rules.ips.level, "1.33")
        ? validateIp(address, addressType, paths, rules)
        : validateFirstIp(address, addressType, paths.at);
    case "FQDN":
      return validateFullyQualifiedDomainName(paths.at, address);
    default:
      return [];
  }
}

interface AddressPaths {
  readonly list: FieldPath;
  readonly at: FieldPath;
}

type IpsOfSlice = Pick<EndpointSliceRules, "ips"> & KnownAddresses;

/** As before 1.33. */
function validateFirstIp(address: string, family: IpFamily, path: FieldPath): FieldError[] {
  const validate = family === "IPv4" ? validateIpv4Address : validateIpv6Address;
  return [...validate(path, address), ...validateNonSpecialIp(address, path)];
}

function validateIp(
  address: string,
  family: IpFamily,
  { list, at }: AddressPaths,
  { ips, known }: IpsOfSlice,
): FieldError[] {
  // IPv6 addresses must be canonical, even old ones.
  const errors =
    family === "IPv6"
      ? canonicalIpProblems(address).map((problem) => invalid(at, address, problem))
      : validateIpField(at, address, ips, known);
  if (errors.length > 0) return errors;
  if (ipFamilyOf(address) !== family) errors.push(invalid(list, address, `must be an ${family} address`));
  return [...errors, ...validateNonSpecialIp(address, at)];
}

function validateZones(zones: readonly ForZone[], path: FieldPath): FieldError[] {
  const excess = hintsRules.checkValue("forZones", zones, path);
  if (excess.length > 0) return excess;
  const seen = new Set<string>();
  return errorsOfEach(zones, (zone, index) => {
    const at = path.index(index);
    const errors = seen.has(zone.name) ? [duplicate(at.child("name"), zone.name)] : [];
    seen.add(zone.name);
    return [...errors, ...zoneRules.check(zone, at, "name")];
  });
}

function validateNodes(nodes: readonly ForNode[], path: FieldPath): FieldError[] {
  const excess = hintsRules.checkValue("forNodes", nodes, path);
  if (excess.length > 0) return excess;
  const seen = new Set<string>();
  return errorsOfEach(nodes, (node, index) => {
    const at = path.index(index);
    const errors = seen.has(node.name) ? [duplicate(at.child("name"), node.name)] : [];
    seen.add(node.name);
    return [...errors, ...nodeRules.check(node, at, "name")];
  });
}

function validatePorts(ports: readonly EndpointPort[], path: FieldPath): FieldError[] {
  const excess = sliceRules.checkValue("ports", ports, path);
  if (excess.length > 0) return excess;
  const seen = new Set<string>();
  return errorsOfEach(ports, (port, index) => {
    const { name = "" } = port;
    const at = path.index(index);
    const errors = portRules.check(port, at, "name");
    if (seen.has(name)) errors.push(duplicate(at.child("name"), name));
    seen.add(name);
    return [...errors, ...portRules.check(port, at, "protocol", "appProtocol")];
  });
}

import { append } from "../../../apimachinery/collections/append.js";
import { type FieldError, FieldPath, required } from "../../../apimachinery/errors/field-error.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { type IpRules, ipWarnings, validateIpField } from "../../../apimachinery/validation/ip-fields.js";
import { validateNonSpecialIp } from "../../checks/non-special-ip.js";
import type { ApiContext } from "../../definition/api-context.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { EndpointAddress, EndpointPort, EndpointSubset, Endpoints } from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";

const portRules = fieldRules<EndpointPort>(coreV1Types, "EndpointPort");
const addressRules = fieldRules<EndpointAddress>(coreV1Types, "EndpointAddress");

/** Addresses that `old` has stay valid. */
export function validateEndpoints(object: Endpoints, old: Endpoints | undefined, ips: IpRules): FieldError[] {
  const known = new Set(ips.strict ? (old?.subsets ?? []).flatMap(addressesOf) : []);
  return errorsOfEach(object.subsets, (subset, index) =>
    subsetErrors(subset, FieldPath.of("subsets").index(index), (path, ip) =>
      validateIpField(path, ip, ips, known),
    ),
  );
}

/** Warns of addresses in unusual forms, but not the controller, which writes what it is given. */
export function endpointsWarnings(
  { metadata, subsets }: Endpoints,
  words: Pick<ApiContext, "level" | "naming">,
): string[] {
  const warnings: string[] = [];
  if (metadata.labels?.[`endpoints.${words.naming.domain}/managed-by`] === "endpoint-controller")
    return warnings;
  for (const [index, subset] of (subsets ?? []).entries()) {
    const path = FieldPath.of("subsets").index(index);
    for (const field of ["addresses", "notReadyAddresses"] as const) {
      for (const [at, { ip }] of (subset[field] ?? []).entries()) {
        append(warnings, ipWarnings(path.child(field).index(at).child("ip"), ip, words));
      }
    }
  }
  return warnings;
}

function addressesOf({ addresses = [], notReadyAddresses = [] }: EndpointSubset): string[] {
  return [...addresses, ...notReadyAddresses].map(({ ip }) => ip);
}

type CheckIp = (path: FieldPath, ip: string) => FieldError[];

function subsetErrors(subset: EndpointSubset, path: FieldPath, checkIp: CheckIp): FieldError[] {
  const { addresses = [], notReadyAddresses = [], ports = [] } = subset;
  const errors: FieldError[] = [];
  if (addresses.length === 0 && notReadyAddresses.length === 0) {
    errors.push(required(path, "must specify `addresses` or `notReadyAddresses`"));
  }
  for (const [index, address] of addresses.entries()) {
    append(errors, addressErrors(address, path.child("addresses").index(index), checkIp));
  }
  for (const [index, address] of notReadyAddresses.entries()) {
    append(errors, addressErrors(address, path.child("notReadyAddresses").index(index), checkIp));
  }
  for (const [index, port] of ports.entries()) {
    append(errors, portErrors(port, ports.length > 1, path.child("ports").index(index)));
  }
  return errors;
}

function addressErrors(address: EndpointAddress, path: FieldPath, checkIp: CheckIp): FieldError[] {
  const { ip } = address;
  return [
    ...checkIp(path.child("ip"), ip),
    ...addressRules.check(address, path, "hostname", "nodeName"),
    ...validateNonSpecialIp(ip, path.child("ip")),
  ];
}

function portErrors(port: EndpointPort, isNameRequired: boolean, path: FieldPath): FieldError[] {
  const isNameMissing = isNameRequired && (port.name ?? "") === "";
  return [
    ...(isNameMissing ? [required(path.child("name"), "")] : []),
    ...portRules.check(port, path, "name", "port", "protocol", "appProtocol"),
  ];
}

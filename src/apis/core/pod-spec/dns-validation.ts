import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { isDns1123SubdomainWithUnderscore } from "../../../apimachinery/validation/dns-names.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { ipFamilyOf } from "../../../apimachinery/validation/ip-addresses.js";
import { validateIpField } from "../../../apimachinery/validation/ip-fields.js";
import { byteLength } from "../../../apimachinery/validation/messages.js";
import { problemsAt, validateDnsSubdomain } from "../../checks/value-checks.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { HostAlias, PodDNSConfig, PodDNSConfigOption, PodSpec } from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";
import type { PodValidationOptions } from "./pod-validation-rules.js";

const optionRules = fieldRules<PodDNSConfigOption>(coreV1Types, "PodDNSConfigOption");

/** Limits of all resolvers, and of newer ones. */
const nameserversMax = 3;
const searchPathsMax = { plain: 6, expanded: 32 };
const searchListBytesMax = { plain: 256, expanded: 2048 };

export function validateDnsConfig(
  { dnsConfig, dnsPolicy }: PodSpec,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  if (dnsPolicy === "None") {
    if (dnsConfig === undefined) {
      return [required(path, "must provide `dnsConfig` when `dnsPolicy` is None")];
    }
    if ((dnsConfig.nameservers ?? []).length === 0) {
      const why = "must provide at least one DNS nameserver when `dnsPolicy` is None";
      return [required(path.child("nameservers"), why)];
    }
  }
  if (dnsConfig === undefined) return [];
  return [
    ...validateNameservers(dnsConfig.nameservers ?? [], path.child("nameservers"), options),
    ...validateSearches(dnsConfig.searches ?? [], path.child("searches"), options),
    ...errorsOfEach(dnsConfig.options, ({ name }, index) =>
      optionRules.checkValue("name", name, path.child("options").index(index)),
    ),
  ];
}

function validateNameservers(
  nameservers: readonly string[],
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  if (nameservers.length > nameserversMax) {
    errors.push(invalid(path, nameservers, `must not have more than ${nameserversMax} nameservers`));
  }
  for (const [index, address] of nameservers.entries()) {
    append(errors, validateAddress(path.index(index), address, options));
  }
  return errors;
}

function validateSearches(
  searches: readonly string[],
  path: FieldPath,
  { allowExpandedDnsConfig, allowRelaxedSearches }: PodValidationOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  const size = allowExpandedDnsConfig ? "expanded" : "plain";
  if (searches.length > searchPathsMax[size]) {
    errors.push(invalid(path, searches, `must not have more than ${searchPathsMax[size]} search paths`));
  }
  if (byteLength(searches.join(" ")) > searchListBytesMax[size]) {
    const why = `must not have more than ${searchListBytesMax[size]} characters (including spaces) in the search list`;
    errors.push(invalid(path, searches, why));
  }
  for (const [index, search] of searches.entries()) {
    const domain = search.endsWith(".") ? search.slice(0, -1) : search;
    if (!allowRelaxedSearches) append(errors, validateDnsSubdomain(domain, path.index(index)));
    else if (search !== ".") {
      append(errors, problemsAt(path.index(index), domain, isDns1123SubdomainWithUnderscore(domain)));
    }
  }
  return errors;
}

/** Whether the search list exceeds the limits of older resolvers. */
export function isExpandedDnsConfig({ searches = [] }: PodDNSConfig): boolean {
  return searches.length > searchPathsMax.plain || byteLength(searches.join(" ")) > searchListBytesMax.plain;
}

/** Whether searches are valid by the relaxed rules alone. */
export function hasRelaxedSearches(spec: PodSpec | undefined): boolean {
  return (spec?.dnsConfig?.searches ?? []).some((search) => search === "." || search.includes("_"));
}

export function validateHostAliases(
  aliases: readonly HostAlias[] | undefined,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  // Before 1.30, errors lack the index of the alias.
  const hasIndexes = isAtLeast(options.level, "1.30");
  return errorsOfEach(aliases, ({ ip = "", hostnames }, index) => {
    const at = hasIndexes ? path.index(index) : path;
    const names = at.child("hostnames");
    return [
      ...validateAddress(at.child("ip"), ip, options),
      ...errorsOfEach(hostnames, (name, nameIndex) =>
        validateDnsSubdomain(name, hasIndexes ? names.index(nameIndex) : names),
      ),
    ];
  });
}

function validateAddress(path: FieldPath, value: string, { level, ips }: PodValidationOptions): FieldError[] {
  if (isAtLeast(level, "1.30")) return validateIpField(path, value, ips);
  return ipFamilyOf(value) === undefined ? [invalid(path, value, "must be valid IP address")] : [];
}

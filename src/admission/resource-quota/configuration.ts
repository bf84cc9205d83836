import type { ScopedResourceSelectorRequirement } from "../../apis/gen/core-v1.js";
import type { Naming } from "../../naming/naming.js";
import { ConfigurationReader } from "../configuration/configuration-reader.js";

/** A resource that may only be used where a quota covers it. */
export interface LimitedResource {
  /** Full name. */
  readonly group: string;
  readonly resource: string;
  /** Parts of the names that quotas use for the limited resources. */
  readonly matchContains: readonly string[];
  readonly matchScopes: readonly ScopedResourceSelectorRequirement[];
}

/**
 * Reads which resources are limited by default. Throws an `Error` that says what is wrong. Source: Kubernetes documentation, "Resource
 * Quotas", "Limit Priority Class consumption by default".
 */
export function readLimitedResources(configuration: unknown, naming: Naming): readonly LimitedResource[] {
  const old = `resourcequota.admission.${naming.groupDomain}`;
  const current = [`${naming.group("apiserver.config")}/v1`];
  const isOld =
    typeof configuration === "object" &&
    configuration !== null &&
    "kind" in configuration &&
    configuration.kind === "Configuration";
  const reader = isOld
    ? ConfigurationReader.of(configuration, "Configuration", [`${old}/v1beta1`, `${old}/v1alpha1`])
    : ConfigurationReader.of(configuration, "ResourceQuotaConfiguration", current);
  reader.allow("limitedResources");
  return reader.records("limitedResources").map((limited) => {
    limited.allow("apiGroup", "resource", "matchContains", "matchScopes");
    const resource = limited.text("resource") ?? "";
    if (resource === "") throw limited.problem("resource", "must name a resource");
    return {
      group: limited.text("apiGroup") ?? "",
      resource,
      matchContains: limited.texts("matchContains"),
      matchScopes: limited.records("matchScopes").map(readScope),
    };
  });
}

const operators = ["In", "NotIn", "Exists", "DoesNotExist"];

function readScope(reader: ConfigurationReader): ScopedResourceSelectorRequirement {
  reader.allow("scopeName", "operator", "values");
  const [scopeName, operator] = [reader.text("scopeName") ?? "", reader.text("operator") ?? "Exists"];
  if (scopeName === "") throw reader.problem("scopeName", "must name a scope");
  if (!operators.includes(operator))
    throw reader.problem("operator", `must be one of ${operators.join(", ")}`);
  return { scopeName, operator, values: [...reader.texts("values")] };
}

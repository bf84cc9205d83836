import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { printBytes } from "../../../apimachinery/errors/printed-structs.js";
import { isDns1035Label } from "../../../apimachinery/validation/dns-names.js";
import { caBundleProblem } from "../../checks/ca-bundle.js";
import { validateWebhookClient } from "../../checks/webhook-client.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  CustomResourceConversion,
  CustomResourceDefinitionSpec,
  WebhookClientConfig,
} from "../../gen/apiextensions-v1.js";
import { apiextensionsV1Types } from "../v1/types.js";

const fields = fieldRules<CustomResourceConversion>(apiextensionsV1Types, "CustomResourceConversion");
/** Rules that stored definitions may not meet because they are older, and whether this definition must meet them. */
interface ConversionRules {
  requires(rule: "knownReviewVersion" | "validCaBundle"): boolean;
}

const reviewVersions = ["v1", "v1beta1"];

/** Errors have the paths of v1beta1, whose webhook fields are directly in `conversion`. */
export function validateConversion(
  spec: CustomResourceDefinitionSpec,
  rules: ConversionRules,
  path: FieldPath,
): FieldError[] {
  const { conversion } = spec;
  if (conversion === undefined) return [];
  const { strategy, webhook } = conversion;
  const strategyPath = path.child("strategy");
  const errors: FieldError[] = [];
  if (strategy !== "None" && spec.preserveUnknownFields === true) {
    errors.push(invalid(strategyPath, strategy, "must be None if spec.preserveUnknownFields is true"));
  }
  append(errors, fields.check(conversion, path, "strategy"));
  const clientPath = path.child("webhookClientConfig");
  const versionsPath = path.child("conversionReviewVersions");
  const client = webhook?.clientConfig;
  const versions = webhook?.conversionReviewVersions ?? [];
  if (strategy !== "Webhook") {
    const why = "should not be set when strategy is not set to Webhook";
    if (client !== undefined) errors.push(forbidden(clientPath, why));
    if (versions.length > 0) errors.push(forbidden(versionsPath, why));
    return errors;
  }
  if (client === undefined) errors.push(required(clientPath, "required when strategy is set to Webhook"));
  else {
    append(errors, validateWebhookClient(client, clientPath));
    append(errors, bundleErrors(client, clientPath.child("caBundle"), rules));
  }
  const requiresKnownVersion = (): boolean => rules.requires("knownReviewVersion");
  return [...errors, ...reviewVersionErrors(versions, versionsPath, requiresKnownVersion)];
}

export function hasKnownReviewVersion(versions: readonly string[]): boolean {
  return versions.some((version) => reviewVersions.includes(version));
}

/** The problem of the conversion webhook's CA bundle, if it has one. */
export function bundleProblem({
  conversion,
}: Pick<CustomResourceDefinitionSpec, "conversion">): string | undefined {
  const caBundle = conversion?.webhook?.clientConfig?.caBundle ?? "";
  return caBundle === "" ? undefined : caBundleProblem(caBundle);
}

/** A new definition may have any bundle: it is not served until the bundle is valid. */
function bundleErrors(
  { caBundle = "" }: WebhookClientConfig,
  path: FieldPath,
  rules: ConversionRules,
): FieldError[] {
  const problem = caBundle === "" ? undefined : caBundleProblem(caBundle);
  if (problem === undefined || !rules.requires("validCaBundle")) return [];
  return [invalid(path, printBytes(caBundle), problem)];
}

function reviewVersionErrors(
  versions: readonly string[],
  path: FieldPath,
  requiresKnownVersion: () => boolean,
): FieldError[] {
  if (versions.length === 0) return [required(path, "")];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, version] of versions.entries()) {
    const at = path.index(index);
    if (seen.has(version)) errors.push(invalid(at, version, "duplicate version"));
    else for (const problem of isDns1035Label(version)) errors.push(invalid(at, version, problem));
    seen.add(version);
  }
  if (!hasKnownReviewVersion(versions) && requiresKnownVersion()) {
    errors.push(invalid(path, versions, `must include at least one of ${reviewVersions.join(", ")}`));
  }
  return errors;
}

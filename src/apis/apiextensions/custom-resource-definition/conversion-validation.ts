import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { isDns1035Label } from "../../../apimachinery/validation/dns-names.js";
import { fieldRules } from "../../definition/field-rules.js";
import { validateWebhookService, validateWebhookUrl } from "../../definition/webhook-client.js";
import type {
  CustomResourceConversion,
  CustomResourceDefinitionSpec,
  WebhookClientConfig,
} from "../../gen/apiextensions-v1.js";

const rules = fieldRules<CustomResourceConversion>("apiextensions/v1.CustomResourceConversion");
const reviewVersions = ["v1", "v1beta1"];

/** The paths are those of an older form, in which the webhook's fields were part of the conversion itself. */
export function validateConversion(
  spec: CustomResourceDefinitionSpec,
  requiresKnownVersion: () => boolean,
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
  append(errors, rules.check(conversion, path, "strategy"));
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
  else append(errors, clientErrors(client, clientPath));
  return [...errors, ...reviewVersionErrors(versions, versionsPath, requiresKnownVersion)];
}

export function hasKnownReviewVersion(versions: readonly string[]): boolean {
  return versions.some((version) => reviewVersions.includes(version));
}

function clientErrors({ url, service }: WebhookClientConfig, path: FieldPath): FieldError[] {
  if ((url === undefined) === (service === undefined)) {
    return [required(path, "exactly one of url or service is required")];
  }
  if (url !== undefined) return validateWebhookUrl(path.child("url"), url);
  return service === undefined ? [] : validateWebhookService(path.child("service"), service);
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

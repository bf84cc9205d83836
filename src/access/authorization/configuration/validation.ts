import { isAbsolute } from "node:path";
import {
  duplicate,
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
  required,
  tooMany,
} from "../../../apimachinery/errors/field-error.js";
import { aggregate } from "../../../apimachinery/errors/shown-errors.js";
import { isDns1123Subdomain } from "../../../apimachinery/validation/dns-names.js";
import { formatDuration, parseDuration } from "../../../apimachinery/values/duration.js";
import type { AuthorizationConfiguration, WebhookConfiguration } from "./authorization-configuration.js";
import { type ConditionContext, compileCondition } from "./match-conditions.js";

/** All types; only Webhook may occur more than once. */
const authorizerTypes = ["ABAC", "AlwaysAllow", "AlwaysDeny", "Node", "RBAC", "Webhook"] as const;
export type AuthorizerType = (typeof authorizerTypes)[number];

export function isAuthorizerType(type: string): type is AuthorizerType {
  return authorizerTypes.some((known) => known === type);
}

const nanosPerMs = 1e6;
const nanosPerSecond = 1_000_000_000n;
const timeoutSecondsMax = 30;
const conditionsMax = 64;

interface FileContext extends ConditionContext {
  fileProblem(file: string): string | undefined;
}

/** Source: apiserver `pkg/apis/apiserver/validation`. `fileProblem` returns what is wrong with a file; undefined when nothing is. */
export function validateAuthorizationConfiguration(
  { authorizers = [] }: AuthorizationConfiguration,
  context: FileContext,
): FieldError[] {
  const root = FieldPath.of("authorizers");
  const errors: FieldError[] = [];
  if (authorizers.length === 0) {
    errors.push(required(root, "at least one authorization mode must be defined"));
  }
  const types = new Set<string>();
  const names = new Set<string>();
  for (const [index, { type = "", name = "", webhook }] of authorizers.entries()) {
    const path = root.index(index);
    if (type === "") {
      errors.push(required(path.child("type"), ""));
      continue;
    }
    if (!isAuthorizerType(type)) {
      errors.push(notSupported(path.child("type"), type, authorizerTypes));
      continue;
    }
    if (types.has(type) && type !== "Webhook") {
      errors.push(duplicate(path.child("type"), type));
      continue;
    }
    types.add(type);
    errors.push(...nameErrors(name, names, path.child("name")));
    names.add(name);
    if (type === "Webhook") {
      if (webhook === undefined) errors.push(required(path.child("webhook"), "required when type=Webhook"));
      else errors.push(...webhookErrors(webhook, path, context));
    } else if (webhook !== undefined) {
      errors.push(invalid(path.child("webhook"), "non-null", "may only be specified when type=Webhook"));
    }
  }
  return errors;
}

/**
 * Only webhooks choose their names; others are named after their type. Undefined if all names are right. Call it for a valid file:
 * Kubernetes checks this last.
 */
export function misnamedProblem({ authorizers = [] }: AuthorizationConfiguration): string | undefined {
  const problems = authorizers.flatMap(({ type = "", name = "" }) => {
    const expected = type.toLowerCase();
    return type === "Webhook" || name === expected
      ? []
      : [`expected name ${expected} for authorizer ${type} instead of ${name}`];
  });
  return problems.length === 0 ? undefined : aggregate([], ...problems);
}

function nameErrors(name: string, seen: ReadonlySet<string>, path: FieldPath): FieldError[] {
  if (name === "") return [required(path, "")];
  if (seen.has(name)) return [duplicate(path, name)];
  const problems = isDns1123Subdomain(name);
  return problems.length === 0
    ? []
    : [invalid(path, name, `authorizer name is invalid: ${problems.join(", ")}`)];
}

function webhookErrors(webhook: WebhookConfiguration, path: FieldPath, context: FileContext): FieldError[] {
  const { subjectAccessReviewVersion = "", matchConditionSubjectAccessReviewVersion = "" } = webhook;
  const { failurePolicy = "", matchConditions = [] } = webhook;
  const errors: FieldError[] = [
    ...durationErrors(webhook.timeout, path.child("timeout"), timeoutSecondsMax),
    ...durationErrors(webhook.authorizedTTL, path.child("authorizedTTL")),
    ...durationErrors(webhook.unauthorizedTTL, path.child("unauthorizedTTL")),
  ];
  const oneOf = (name: string, value: string, allowed: readonly string[]): void => {
    if (value === "") errors.push(required(path.child(name), ""));
    else if (!allowed.includes(value)) errors.push(notSupported(path.child(name), value, allowed));
  };
  oneOf("subjectAccessReviewVersion", subjectAccessReviewVersion, ["v1", "v1beta1"]);
  const conditionVersion = "matchConditionSubjectAccessReviewVersion";
  if (matchConditionSubjectAccessReviewVersion === "") {
    if (matchConditions.length > 0) {
      errors.push(required(path.child(conditionVersion), "required if match conditions are specified"));
    }
  } else oneOf(conditionVersion, matchConditionSubjectAccessReviewVersion, ["v1"]);
  oneOf("failurePolicy", failurePolicy, ["NoOpinion", "Deny"]);
  errors.push(...connectionErrors(webhook, path.child("connectionInfo"), context.fileProblem));
  errors.push(...conditionErrors(webhook, path.child("matchConditions"), context));
  return errors;
}

/** Go's durations; undefined for anything else. */
export function millisecondsOf(text: string | undefined): number | undefined {
  const nanos = nanosecondsOf(text);
  return nanos === undefined ? undefined : Number(nanos) / nanosPerMs;
}

function nanosecondsOf(text: string | undefined): bigint | undefined {
  return text === undefined || text === "" ? 0n : parseDuration(text);
}

function durationErrors(text: string | undefined, path: FieldPath, maxSeconds?: number): FieldError[] {
  const nanos = nanosecondsOf(text);
  if (nanos === undefined) return [invalid(path, text, "must be a duration")];
  if (nanos === 0n) return [required(path, "")];
  const isTooLong = maxSeconds !== undefined && nanos > BigInt(maxSeconds) * nanosPerSecond;
  if (nanos > 0n && !isTooLong) return [];
  const limit = maxSeconds === undefined ? "" : ` and <= ${maxSeconds}s`;
  return [invalid(path, formatDuration(nanos), `must be > 0s${limit}`)];
}

function connectionErrors(
  { connectionInfo = {} }: WebhookConfiguration,
  path: FieldPath,
  fileProblem: (file: string) => string | undefined,
): FieldError[] {
  const { type = "", kubeConfigFile: file } = connectionInfo;
  const at = path.child("kubeConfigFile");
  switch (type) {
    case "":
      return [required(path.child("type"), "")];
    case "InClusterConfig":
      return file === undefined ? [] : [invalid(at, file, "can only be set when type=KubeConfigFile")];
    case "KubeConfigFile": {
      if (file === undefined || file === "") return [required(at, "")];
      if (!isAbsolute(file)) return [invalid(at, file, "must be an absolute path")];
      const problem = fileProblem(file);
      return problem === undefined ? [] : [invalid(at, file, problem)];
    }
    default:
      return [notSupported(path.child("type"), type, ["InClusterConfig", "KubeConfigFile"])];
  }
}

function conditionErrors(
  { matchConditions = [] }: WebhookConfiguration,
  path: FieldPath,
  context: ConditionContext,
): FieldError[] {
  if (matchConditions.length > conditionsMax) return [tooMany(path, matchConditions.length, conditionsMax)];
  const seen = new Set<string>();
  return matchConditions.flatMap(({ expression = "" }, index) => {
    const at = path.index(index).child("expression");
    if (expression.trim() === "") return [required(at, "")];
    if (seen.has(expression)) return [duplicate(at, expression)];
    seen.add(expression);
    const { problem } = compileCondition(expression, context);
    return problem === undefined ? [] : [invalid(at, expression, problem)];
  });
}

import { append } from "../../apimachinery/collections/append.js";
import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import {
  duplicate,
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
  required,
} from "../../apimachinery/errors/field-error.js";
import { printList } from "../../apimachinery/errors/printed-structs.js";
import { isDns1035Label, validateFullyQualifiedName } from "../../apimachinery/validation/dns-names.js";
import { errorsOfEach } from "../../apimachinery/validation/errors-of-each.js";
import { checksSelectorValues, validateLabelSelector } from "../../apimachinery/validation/label-selector.js";
import { validateWebhookClient } from "../checks/webhook-client.js";
import { fieldRules } from "../definition/field-rules.js";
import type { MutatingWebhook, RuleWithOperations } from "../gen/admissionregistration-v1.js";
import { reinvocationPolicyOf, type Webhook } from "./defaults.js";
import { type ExpressionContext, PolicyCompiler } from "./expressions/policy-compiler.js";
import { type KnownExpressions, validateMatchConditions } from "./policies/expression-validation.js";
import { validateResources } from "./resource-patterns.js";
import { admissionregistrationV1Types } from "./v1/types.js";

/** The versions that the server can send, the preferred one first. */
const reviewVersions = ["v1", "v1beta1"];
/** Validating webhooks have the same fields except the reinvocation policy. */
const webhookRules = fieldRules<MutatingWebhook>(admissionregistrationV1Types, "MutatingWebhook");
const operationRules = fieldRules<RuleWithOperations>(admissionregistrationV1Types, "RuleWithOperations");
/** Side effects that allow calls in dry runs. */
const harmlessSideEffects = ["None", "NoneOnDryRun"];

/** Rules that stored configurations may not meet because they are older; their updates need not meet them either. */
interface NewerRules {
  readonly harmless: boolean;
  readonly knownReviewVersion: boolean;
  readonly uniqueNames: boolean;
  /** Whether the values of selectors are checked. */
  readonly selectorValues: boolean;
  /** Conditions are checked only if one of them has changed; stored ones may use everything that the level has. */
  readonly conditions: { readonly check: boolean; readonly known: KnownExpressions };
}

export function validateWebhooks(webhooks: readonly Webhook[], context: ExpressionContext): FieldError[] {
  const conditions = { check: true, known: new Set<string>() };
  return validate(webhooks, context, {
    harmless: true,
    knownReviewVersion: true,
    uniqueNames: true,
    selectorValues: checksSelectorValues(context.level),
    conditions,
  });
}

export function validateWebhooksUpdate(
  webhooks: readonly Webhook[],
  old: readonly Webhook[],
  context: ExpressionContext,
): FieldError[] {
  const before = old.map(({ matchConditions }) => matchConditions ?? []);
  const after = webhooks.map(({ matchConditions }) => matchConditions ?? []);
  return validate(webhooks, context, {
    conditions: {
      check: !isDeepEqual(before, after),
      known: new Set(before.flat().map(({ expression }) => expression)),
    },
    harmless: old.every(({ sideEffects = "" }) => harmlessSideEffects.includes(sideEffects)),
    knownReviewVersion: old.every(({ admissionReviewVersions: versions = [] }) => {
      return versions.length === 0 || versions.some(isKnownReviewVersion);
    }),
    selectorValues: checksSelectorValues(
      context.level,
      old.flatMap(({ namespaceSelector, objectSelector }) => [namespaceSelector, objectSelector]),
    ),
    uniqueNames: new Set(old.map(({ name }) => name)).size === old.length,
  });
}

function validate(webhooks: readonly Webhook[], context: ExpressionContext, rules: NewerRules): FieldError[] {
  const names = new Set<string>();
  return errorsOfEach(webhooks, (webhook, index) => {
    const path = FieldPath.of("webhooks").index(index);
    const errors = validateWebhook(webhook, path, rules);
    if (rules.conditions.check) {
      append(errors, validateConditions(webhook, path.child("matchConditions"), context, rules));
    }
    const versionsPath = path.child("admissionReviewVersions");
    append(errors, validateReviewVersions(webhook.admissionReviewVersions ?? [], versionsPath, rules));
    if (rules.uniqueNames && webhook.name !== "") {
      if (names.has(webhook.name)) errors.push(duplicate(path.child("name"), webhook.name));
      names.add(webhook.name);
    }
    return errors;
  });
}

function validateConditions(
  { matchConditions = [] }: Webhook,
  path: FieldPath,
  context: ExpressionContext,
  { conditions }: NewerRules,
): FieldError[] {
  const compiler = (): PolicyCompiler =>
    new PolicyCompiler(context, { hasParams: false, purpose: "admission" });
  return validateMatchConditions(matchConditions, path, compiler, conditions.known);
}

function validateWebhook(webhook: Webhook, path: FieldPath, newer: NewerRules): FieldError[] {
  const { name, rules = [], sideEffects, timeoutSeconds } = webhook;
  const errors = validateFullyQualifiedName(path.child("name"), name);
  append(
    errors,
    errorsOfEach(rules, (rule, index) => validateRule(rule, path.child("rules").index(index))),
  );
  append(errors, [
    ...webhookRules.checkValue("failurePolicy", webhook.failurePolicy, path.child("failurePolicy")),
    ...webhookRules.checkValue("matchPolicy", webhook.matchPolicy, path.child("matchPolicy")),
  ]);
  const allowed = newer.harmless ? harmlessSideEffects : webhookRules.supported("sideEffects");
  const effectsPath = path.child("sideEffects");
  if (sideEffects === undefined) {
    errors.push(required(effectsPath, `must specify one of ${allowed.join(", ")}`));
  }
  if (sideEffects !== undefined && !allowed.includes(sideEffects)) {
    errors.push(notSupported(effectsPath, sideEffects, allowed));
  }
  return [
    ...errors,
    ...webhookRules.checkValue("timeoutSeconds", timeoutSeconds, path.child("timeoutSeconds")),
    ...validateLabelSelector(
      webhook.namespaceSelector,
      path.child("namespaceSelector"),
      newer.selectorValues,
    ),
    ...validateLabelSelector(webhook.objectSelector, path.child("objectSelector"), newer.selectorValues),
    ...webhookRules.checkValue(
      "reinvocationPolicy",
      reinvocationPolicyOf(webhook),
      path.child("reinvocationPolicy"),
    ),
    ...validateWebhookClient(webhook.clientConfig, path.child("clientConfig")),
  ];
}

function validateReviewVersions(
  versions: readonly string[],
  path: FieldPath,
  rules: NewerRules,
): FieldError[] {
  if (versions.length === 0) return webhookRules.checkValue("admissionReviewVersions", versions, path);
  const seen = new Set<string>();
  const errors = errorsOfEach(versions, (version, index) => {
    const at = path.index(index);
    if (seen.has(version)) return [invalid(at, version, "duplicate version")];
    seen.add(version);
    return isDns1035Label(version).map((problem) => invalid(at, version, problem));
  });
  if (rules.knownReviewVersion && !versions.some(isKnownReviewVersion)) {
    errors.push(invalid(path, versions, `must include at least one of ${reviewVersions.join(", ")}`));
  }
  return errors;
}

function isKnownReviewVersion(version: string): boolean {
  return reviewVersions.includes(version);
}

export function validateRule(rule: RuleWithOperations, path: FieldPath): FieldError[] {
  const { operations: given = [], resources = [] } = rule;
  const errors: FieldError[] = [];
  const operationsPath = path.child("operations");
  if (given.length > 1 && given.includes("*")) {
    const printed = printList("admissionregistration.OperationType", given);
    errors.push(invalid(operationsPath, printed, "if '*' is present, must not specify other operations"));
  }
  return [
    ...errors,
    ...operationRules.check(rule, path, "operations", "apiGroups", "apiVersions", "resources"),
    ...validateResources(resources, path.child("resources")),
    ...operationRules.check(rule, path, "scope"),
  ];
}

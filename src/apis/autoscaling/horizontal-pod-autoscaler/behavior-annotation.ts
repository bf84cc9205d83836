import { parseJson } from "../../../apimachinery/json/json-parse.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../apimachinery/json/json-value.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { Quantity } from "../../../apimachinery/values/quantity.js";
import type {
  HorizontalPodAutoscalerBehavior,
  HPAScalingPolicy,
  HPAScalingRules,
} from "../../gen/autoscaling-v2.js";

/**
 * Behavior as JSON, for the annotation of versions without the field. Kubernetes capitalizes the names in this annotation:
 * `{"ScaleUp":{"StabilizationWindowSeconds":0,"SelectPolicy":"Max","Policies":[…]},"ScaleDown":null}`. Since 1.33 rules without a
 * tolerance say so: `"Tolerance":null`.
 */
export function behaviorToText(
  { scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior,
  level: ApiLevel,
): string {
  return JSON.stringify({ ScaleUp: rulesToJson(scaleUp, level), ScaleDown: rulesToJson(scaleDown, level) });
}

function rulesToJson(rules: HPAScalingRules | undefined, level: ApiLevel): JsonObject | null {
  if (rules === undefined) return null;
  return {
    StabilizationWindowSeconds: rules.stabilizationWindowSeconds ?? null,
    SelectPolicy: rules.selectPolicy ?? null,
    Policies:
      rules.policies?.map(({ type, value, periodSeconds }) => ({
        Type: type,
        Value: value,
        PeriodSeconds: periodSeconds,
      })) ?? null,
    ...(isAtLeast(level, "1.33") && { Tolerance: rules.tolerance ?? null }),
  };
}

/** Accepts keys in any case. Undefined for text without rules, and malformed one: clients can write the annotation. */
export function behaviorFromText(text: string): HorizontalPodAutoscalerBehavior | undefined {
  try {
    const { scaleup, scaledown } = lowerCaseMembers(parseJson(text));
    const [scaleUp, scaleDown] = [rulesFromJson(scaleup), rulesFromJson(scaledown)];
    return scaleUp === undefined && scaleDown === undefined ? undefined : { scaleUp, scaleDown };
  } catch {
    return undefined;
  }
}

function rulesFromJson(value: JsonValue | undefined): HPAScalingRules | undefined {
  if (value === undefined || value === null) return undefined;
  const { stabilizationwindowseconds, selectpolicy, policies, tolerance } = lowerCaseMembers(value);
  return {
    stabilizationWindowSeconds: optional(stabilizationwindowseconds, int32),
    selectPolicy: optional(selectpolicy, string),
    policies: optional(policies, (list) => {
      if (!Array.isArray(list)) throw new TypeError("not a list");
      return list.map((item: JsonValue) => policyFromJson(item));
    }),
    ...(tolerance !== undefined && tolerance !== null && { tolerance: quantity(tolerance) }),
  };
}

function policyFromJson(value: JsonValue): HPAScalingPolicy {
  const { type, value: amount, periodseconds } = lowerCaseMembers(value);
  return {
    type: optional(type, string) ?? "",
    value: optional(amount, int32) ?? 0,
    periodSeconds: optional(periodseconds, int32) ?? 0,
  };
}

function lowerCaseMembers(value: JsonValue): JsonObject {
  if (!isJsonObject(value)) throw new TypeError("not an object");
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name.toLowerCase(), member]));
}

function optional<T>(value: JsonValue | undefined, read: (value: JsonValue) => T): T | undefined {
  return value === undefined || value === null ? undefined : read(value);
}

function int32(value: JsonValue): number {
  if (typeof value !== "number" || !Number.isInteger(value) || (value | 0) !== value) {
    throw new TypeError("not a 32-bit integer");
  }
  return value;
}

function string(value: JsonValue): string {
  if (typeof value !== "string") throw new TypeError("not a string");
  return value;
}

function quantity(value: JsonValue): string {
  return Quantity.parse(string(value)).toString();
}

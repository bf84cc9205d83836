import { type FieldError, FieldPath, invalid, required } from "../../../apimachinery/errors/field-error.js";
import { parseJson } from "../../../apimachinery/json/json-parse.js";
import { JsonSyntaxError } from "../../../apimachinery/json/json-scanner.js";
import { isJsonObject, type JsonValue } from "../../../apimachinery/json/json-value.js";
import type { Naming } from "../../../naming/naming.js";
import type { Taint } from "../../gen/core-v1.js";
import { validateTaints } from "./taints.js";

/** Two annotations hold objects as JSON: one became a field, the other is deprecated. */
export function validateNodeAnnotations(
  { domain }: Naming,
  annotations: Readonly<Record<string, string>> | undefined,
): FieldError[] {
  const path = FieldPath.of("metadata", "annotations");
  const taintsKey = `scheduler.alpha.${domain}/taints`;
  const avoidKey = `scheduler.alpha.${domain}/preferAvoidPods`;
  return [
    ...taintsErrors(annotations?.[taintsKey] ?? "", taintsKey, path),
    ...avoidErrors(annotations?.[avoidKey] ?? "", avoidKey, path),
  ];
}

function taintsErrors(text: string, key: string, path: FieldPath): FieldError[] {
  if (text === "") return [];
  const parsed = parse(text);
  if (typeof parsed === "string") return [invalid(path, key, parsed)];
  const items = Array.isArray(parsed.value) ? parsed.value : [];
  return validateTaints(items.map(toTaint), path.child(key));
}

function avoidErrors(text: string, key: string, path: FieldPath): FieldError[] {
  if (text === "") return [];
  const parsed = parse(text);
  if (typeof parsed === "string") return [invalid(path.child("AvoidPods"), key, parsed)];
  const list = isJsonObject(parsed.value) ? parsed.value.preferAvoidPods : undefined;
  const entries: readonly JsonValue[] = Array.isArray(list) ? list : [];
  return entries.flatMap((entry, index) => {
    const entryPath = path.child(key).index(index);
    const signature = isJsonObject(entry) ? entry.podSignature : undefined;
    const owner = isJsonObject(signature) ? signature.podController : undefined;
    if (!isJsonObject(owner)) return [required(entryPath.child("PodSignature"), "")];
    if (owner.controller === true) return [];
    const ownerPath = entryPath.child("PodSignature", "PodController", "Controller");
    return [invalid(ownerPath, owner.controller ?? false, "must point to a controller")];
  });
}

function toTaint(value: JsonValue): Taint {
  const text = (name: string): string => {
    const field = isJsonObject(value) ? value[name] : undefined;
    return typeof field === "string" ? field : "";
  };
  return { key: text("key"), value: text("value"), effect: text("effect") };
}

/** The parsed value, or an error. */
function parse(text: string): { readonly value: JsonValue } | string {
  try {
    return { value: parseJson(text) };
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.message;
    throw error;
  }
}

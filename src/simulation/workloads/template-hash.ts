import { createHash } from "node:crypto";
import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import type { PodTemplateSpec } from "../../apis/gen/core-v1.js";

/** The letters of Kubernetes' safe names: no vowels, and nothing that could be confused. */
const letters = "bcdfghjklmnpqrstvwxz2456789";
const length = 10;

/** A short name derived from content. `collisions`: how often the name was already taken by other content. */
export function contentHash(content: unknown, collisions = 0): string {
  const text = JSON.stringify([content, collisions], (_key, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
  const digest = createHash("sha256").update(text).digest();
  return [...digest.subarray(0, length)].map((byte) => letters[byte % letters.length]).join("");
}

/** Whether two templates make the same pods. Ignores the label that a controller adds. */
export function isSameTemplate(a: PodTemplateSpec, b: PodTemplateSpec, hashLabel: string): boolean {
  return isDeepEqual(withoutLabel(a, hashLabel), withoutLabel(b, hashLabel));
}

function withoutLabel(template: PodTemplateSpec, label: string): PodTemplateSpec {
  const { [label]: _, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}

import { copyJson } from "../../apimachinery/json/json-copy.js";
import { isJsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { isJsonArray } from "../../apimachinery/json/json-values.js";
import { sortedMembers } from "../../apimachinery/json/sorted-members.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { PodTemplateSpec, Volume } from "../../apis/gen/core-v1.js";

/**
 * A template in the form that `kubectl rollout undo` uses: a patch of the workload that sets it. Clients compare it with theirs as text. Up to
 * 1.33, they print the creation time that the metadata of a template lacks.
 */
export function revisionData(template: PodTemplateSpec, level: ApiLevel): JsonValue {
  const printed = isAtLeast(level, "1.34") ? template : withEmptyTimes(template);
  // A decoded object is JSON, apart from undefined members, which the copy leaves out.
  return sortedMembers(
    copyJson({ spec: { template: { ...printed, $patch: "replace" } } } as unknown as JsonValue),
  );
}

/** The same for equal templates, at whichever level they were stored. */
export function comparableData(data: JsonValue | undefined): JsonValue | undefined {
  return data === undefined ? undefined : withoutNulls(data);
}

export function templateOf(data: JsonValue | undefined): PodTemplateSpec {
  const spec = isJsonObject(data) ? data.spec : undefined;
  const template = isJsonObject(spec) ? spec.template : undefined;
  if (!isJsonObject(template)) throw new Error("a revision holds no pod template");
  const { $patch: _, ...rest } = template;
  // `revisionData` made it from a template, or another controller did in the same form.
  return rest as unknown as PodTemplateSpec;
}

function withoutNulls(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    members.map(([name, member]): [string, JsonValue] => [name, withoutNulls(member)]),
  );
}

function withEmptyTimes({ metadata, spec, ...others }: PodTemplateSpec): object {
  const volumes = spec?.volumes?.map(withEmptyTime);
  return {
    ...others,
    metadata: { ...metadata, creationTimestamp: null },
    spec: { ...spec, volumes },
  };
}

function withEmptyTime(volume: Volume): object {
  const { ephemeral } = volume;
  const template = ephemeral?.volumeClaimTemplate;
  if (template === undefined) return volume;
  const metadata = { ...template.metadata, creationTimestamp: null };
  return { ...volume, ephemeral: { ...ephemeral, volumeClaimTemplate: { ...template, metadata } } };
}

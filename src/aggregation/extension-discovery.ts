import { exceeds } from "../apimachinery/json/json-size.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json/json-value.js";
import { objectsIn, textOf } from "../apimachinery/json/json-values.js";
import { parseAccept } from "../apimachinery/requests/media-range.js";
import { type AggregatedVersion, isAggregatedForm } from "../endpoints/discovery/discovery-documents.js";

/** The resources of one version are copied and printed in one step. */
const bounds = { valuesMax: 25_000, membersMax: 25_000 };

/** The media types that request another server's aggregated discovery document; `group` is the document's. */
export function aggregatedMediaTypes(group: string, versions: readonly AggregatedVersion[]): string {
  return versions
    .map((version) => `application/json;g=${group};v=${version};as=APIGroupDiscoveryList`)
    .join(",");
}

/** Whether an answer is such a document, and not one of a server that lacks aggregated discovery. */
export function isAggregatedAnswer(
  contentType: string | string[] | undefined,
  versions: readonly AggregatedVersion[],
): boolean {
  if (typeof contentType !== "string") return false;
  const { parameters } = parseAccept(contentType)[0] ?? {};
  const [kind = "", group = "", version = ""] = ["as", "g", "v"].map((name) => parameters?.get(name) ?? "");
  return isAggregatedForm({ kind, group, version }, versions);
}

/** The resources of one version in another server's document; none when it does not name the version. Undefined when they are too many. */
export function resourcesIn(
  document: JsonObject,
  group: string,
  version: string,
): readonly JsonObject[] | undefined {
  const found = objectsIn(document.items)
    .filter(({ metadata }) => isJsonObject(metadata) && textOf(metadata.name) === group)
    .flatMap(({ versions }) => objectsIn(versions))
    .filter((each) => textOf(each.version) === version)
    .at(-1);
  if (found === undefined) return [];
  if (exceeds(found, bounds)) return undefined;
  return objectsIn(found.resources).map((entry) => ({
    resource: textOf(entry.resource),
    responseKind: kindOf(entry.responseKind),
    scope: textOf(entry.scope),
    singularResource: textOf(entry.singularResource),
    verbs: texts(entry.verbs),
    ...(texts(entry.shortNames).length > 0 && { shortNames: texts(entry.shortNames) }),
    ...(texts(entry.categories).length > 0 && { categories: texts(entry.categories) }),
    ...(objectsIn(entry.subresources).length > 0 && {
      subresources: objectsIn(entry.subresources).map((subresource) => ({
        subresource: textOf(subresource.subresource),
        responseKind: kindOf(subresource.responseKind),
        verbs: texts(subresource.verbs),
      })),
    }),
  }));
}

/** Never left out: clients of 1.26 rely on it. */
function kindOf(value: JsonValue | undefined): JsonObject {
  const { group, version, kind } = isJsonObject(value) ? value : {};
  return { group: textOf(group), version: textOf(version), kind: textOf(kind) };
}

function texts(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((each: JsonValue) => typeof each === "string") : [];
}

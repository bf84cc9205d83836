import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { Naming } from "../../naming/naming.js";
import type { ApiOperation } from "./api-path.js";

/** What documents of both OpenAPI versions share. */
export interface DocumentParts {
  readonly naming: Naming;
  readonly title: string;
  /** Version of the API: `v1.23.17`. */
  readonly version: string;
  readonly level: ApiLevel;
  /** Whether a document in OpenAPI 3 says how clients authenticate: those of custom resources do not. */
  readonly hasSecurity: boolean;
}

export function operationExtensions({ action, subject }: ApiOperation, naming: Naming): JsonObject {
  const { extensionPrefix } = naming;
  if (action === undefined || subject === undefined) return {};
  const { group, kind, version } = subject;
  return {
    [`${extensionPrefix}action`]: action,
    [`${extensionPrefix}group-version-kind`]: { group, kind, version },
  };
}

const responseTexts: ReadonlyMap<number, string> = new Map([
  [200, "OK"],
  [201, "Created"],
  [202, "Accepted"],
  [401, "Unauthorized"],
]);

export function responseText(code: number): string {
  return responseTexts.get(code) ?? String(code);
}

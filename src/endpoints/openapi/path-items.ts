import type { JsonObject, JsonValue } from "../../apimachinery/json/json-value.js";
import type { ApiOperation, ApiParameter, ApiPath } from "./api-path.js";
import type { Definitions } from "./definitions.js";
import type { DocumentParts } from "./document-parts.js";

/** How a version of OpenAPI writes the parts of paths. */
export interface PathDialect {
  operation(operation: ApiOperation, parts: DocumentParts, definitions: Definitions): JsonObject;
  parameter(parameter: ApiParameter): JsonObject;
}

export type PathItem = readonly [path: string, item: JsonObject];

/** Path items with their names. Adds the types that they refer to to `definitions`. */
export function* pathItems(
  { operation: operationOf, parameter: parameterOf }: PathDialect,
  parts: DocumentParts,
  paths: Iterable<ApiPath>,
  definitions: Definitions,
): Iterable<PathItem> {
  for (const path of paths) {
    const item: Record<string, JsonValue> = {};
    for (const operation of path.operations)
      item[operation.method] = operationOf(operation, parts, definitions);
    if (path.parameters.length > 0) item.parameters = path.parameters.map((each) => parameterOf(each));
    yield [path.path, item];
  }
}

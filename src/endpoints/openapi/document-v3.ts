import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { ApiBody, ApiOperation, ApiParameter, ApiPath, ApiResponse } from "./api-path.js";
import type { Definitions } from "./definitions.js";
import { type DocumentParts, operationExtensions, responseText } from "./document-parts.js";
import { type PathDialect, type PathItem, pathItems } from "./path-items.js";

const dialect: PathDialect = { operation: operationOf, parameter: parameterOf };

/** Path items with their names. Adds the types that they refer to to `definitions`. */
export function pathItemsV3(
  parts: DocumentParts,
  paths: Iterable<ApiPath>,
  definitions: Definitions,
): Iterable<PathItem> {
  return pathItems(dialect, parts, paths, definitions);
}

/** A self-contained OpenAPI 3.0 document of these paths and schemas. As in Kubernetes, it does not say where its security scheme is needed. */
export function framedV3(parts: DocumentParts, paths: JsonObject, schemas: JsonObject): JsonObject {
  return {
    openapi: "3.0.0",
    info: { title: parts.title, version: parts.version },
    paths,
    components: {
      ...(Object.keys(schemas).length > 0 && { schemas }),
      ...(parts.hasSecurity && { securitySchemes }),
    },
  };
}

const securitySchemes = {
  BearerToken: {
    type: "apiKey",
    description: "A bearer token.",
    name: "authorization",
    in: "header",
  },
};

function operationOf(operation: ApiOperation, parts: DocumentParts, definitions: Definitions): JsonObject {
  const { body, parameters } = operation;
  return {
    tags: operation.tags,
    description: operation.description,
    operationId: operation.id,
    ...(parameters.length > 0 && { parameters: parameters.map(parameterOf) }),
    ...(body !== undefined && {
      requestBody: {
        content: contentOf(consumedBy(operation), body.of, definitions),
        ...(body.required && isAtLeast(parts.level, "1.29") && { required: true }),
      },
    }),
    responses: Object.fromEntries(
      operation.responses.map((response) => [
        String(response.code),
        responseOf(response, operation.produces, definitions),
      ]),
    ),
    ...(operation.deprecated === true && { deprecated: true }),
    ...operationExtensions(operation, parts.naming),
  };
}

/** Accepted media types. Kubernetes and Swagger 2.0 documents declare "any type", which generated clients send literally and no server accepts. */
function consumedBy({ consumes, produces }: ApiOperation): readonly string[] {
  return consumes.includes("*/*") ? produces : consumes;
}

/** A document repeats few parameters, which make up half of its paths, so their printed form is cached. */
const writtenParameters = new WeakMap<ApiParameter, JsonObject>();

function parameterOf(parameter: ApiParameter): JsonObject {
  let written = writtenParameters.get(parameter);
  if (written === undefined) {
    written = writtenParameter(parameter);
    writtenParameters.set(parameter, written);
  }
  return written;
}

function writtenParameter(parameter: ApiParameter): JsonObject {
  return {
    name: parameter.name,
    in: parameter.in,
    description: parameter.description,
    ...(parameter.in === "path" && { required: true }),
    schema: { type: parameter.type, uniqueItems: true },
  };
}

function responseOf(
  response: ApiResponse,
  produces: readonly string[],
  definitions: Definitions,
): JsonObject {
  const { of } = response;
  const description = responseText(response.code);
  return of === undefined ? { description } : { description, content: contentOf(produces, of, definitions) };
}

function contentOf(mediaTypes: readonly string[], body: ApiBody, definitions: Definitions): JsonObject {
  const schema = definitions.ofBody(body);
  return Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }]));
}

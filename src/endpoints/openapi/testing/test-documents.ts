import { SchemaRegistry } from "../../../apimachinery/schema/schema-registry.js";
import type { ApiContext } from "../../../apis/definition/api-context.js";
import { typePackages } from "../../../apis/type-packages.js";
import { OpenApiDocuments, type OpenApiParts } from "../openapi-documents.js";

/** The documents of a server of the context's level, with all defaults but the given parts. */
export function testDocuments(
  context: ApiContext,
  parts: Partial<OpenApiParts> & Pick<OpenApiParts, "catalog">,
): OpenApiDocuments {
  const { naming, level } = context;
  return new OpenApiDocuments({
    naming,
    types: new SchemaRegistry(typePackages, { level, fieldName: (neutral) => naming.field(neutral) }),
    enums: false,
    cbor: false,
    fieldValidation: true,
    level,
    version: "v1",
    build: "0.1.0",
    ...parts,
  });
}

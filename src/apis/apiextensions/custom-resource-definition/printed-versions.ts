import { hasErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import { printList, printPointer, printStruct } from "../../../apimachinery/errors/printed-structs.js";
import { PrintedValue } from "../../../apimachinery/errors/printed-value.js";
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
  CustomResourceValidation,
} from "../../gen/apiextensions-v1.js";
import { printSchema } from "../schema/printed-schema.js";
import type { CommonParts } from "./common-parts.js";

const type = (name: string): string => `apiextensions.${name}`;

export function printVersions(
  versions: readonly CustomResourceDefinitionVersion[] | undefined,
  common: CommonParts,
  prefix: string,
): PrintedValue {
  const name = type("CustomResourceDefinitionVersion");
  if (versions?.length === 0) return new PrintedValue(`[]${name}{}`, []);
  return printList(
    name,
    versions?.map((version) => printVersion(version, common, prefix)),
  );
}

/**
 * Parts that all versions share are not repeated in each version. `prefix` starts the profile's extension fields.
 */
export function printVersion(
  version: CustomResourceDefinitionVersion,
  common: CommonParts,
  prefix: string,
): PrintedValue {
  const { name, served, storage, deprecated = false, deprecationWarning } = version;
  const schema = common.schema === undefined ? version.schema : undefined;
  const subresources = common.subresources === undefined ? version.subresources : undefined;
  const columns = common.columns.length === 0 ? version.additionalPrinterColumns : undefined;
  const fields = common.selectableFields.length === 0 ? version.selectableFields : undefined;
  return printStruct(type("CustomResourceDefinitionVersion"), {
    Name: name,
    Served: served,
    Storage: storage,
    Deprecated: deprecated,
    DeprecationWarning: printPointer("string", deprecationWarning),
    Schema: printPointer(type("CustomResourceValidation"), schema && printValidation(schema, prefix)),
    Subresources: printPointer(
      type("CustomResourceSubresources"),
      subresources && printSubresources(subresources),
    ),
    AdditionalPrinterColumns: printList(type("CustomResourceColumnDefinition"), columns?.map(printColumn)),
    ...(hasErrorTextsOf(30) && {
      SelectableFields: printList(
        type("SelectableField"),
        fields?.map(({ jsonPath }) => printStruct(type("SelectableField"), { JSONPath: jsonPath })),
      ),
    }),
  });
}

function printValidation({ openAPIV3Schema }: CustomResourceValidation, prefix: string): PrintedValue {
  return printStruct(type("CustomResourceValidation"), {
    OpenAPIV3Schema: printPointer(
      type("JSONSchemaProps"),
      openAPIV3Schema && printSchema(openAPIV3Schema, prefix),
    ),
  });
}

function printSubresources({ status, scale }: CustomResourceSubresources): PrintedValue {
  return printStruct(type("CustomResourceSubresources"), {
    Status: printPointer(type("CustomResourceSubresourceStatus"), status),
    Scale: printPointer(
      type("CustomResourceSubresourceScale"),
      scale &&
        printStruct(type("CustomResourceSubresourceScale"), {
          SpecReplicasPath: scale.specReplicasPath,
          StatusReplicasPath: scale.statusReplicasPath,
          LabelSelectorPath: printPointer("string", scale.labelSelectorPath),
        }),
    ),
  });
}

function printColumn(column: CustomResourceColumnDefinition): PrintedValue {
  const { name, format = "", description = "", priority = 0, jsonPath } = column;
  return printStruct(type("CustomResourceColumnDefinition"), {
    Name: name,
    Type: column.type,
    Format: format,
    Description: description,
    Priority: priority,
    JSONPath: jsonPath,
  });
}

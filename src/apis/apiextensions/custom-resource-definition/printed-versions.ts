import { printList, printPointer, printStruct } from "../../../apimachinery/errors/printed-structs.js";
import { PrintedValue } from "../../../apimachinery/errors/printed-value.js";
import type { CustomResourceDefinitionVersion } from "../../gen/apiextensions-v1.js";
import type { CommonParts } from "./common-parts.js";

const goPackage = "apiextensions";

export function printVersions(
  versions: readonly CustomResourceDefinitionVersion[] | undefined,
  common: CommonParts,
): PrintedValue {
  const type = `${goPackage}.CustomResourceDefinitionVersion`;
  if (versions?.length === 0) return new PrintedValue(`[]${type}{}`, []);
  return printList(
    type,
    versions?.map((version) => printVersion(version, common)),
  );
}

/** Schemas, columns and subresources that all versions share are not repeated in each version. */
export function printVersion(version: CustomResourceDefinitionVersion, common: CommonParts): PrintedValue {
  const { name, served, storage, deprecated = false, deprecationWarning } = version;
  const own = <P>(part: P, shared: P | undefined): P | undefined => (shared === undefined ? part : undefined);
  const columns = common.columns.length === 0 ? (version.additionalPrinterColumns ?? []) : [];
  return printStruct(`${goPackage}.CustomResourceDefinitionVersion`, {
    Name: name,
    Served: served,
    Storage: storage,
    Deprecated: deprecated,
    DeprecationWarning: printPointer("string", deprecationWarning),
    Schema: printPointer(`${goPackage}.CustomResourceValidation`, own(version.schema, common.schema)),
    Subresources: printPointer(
      `${goPackage}.CustomResourceSubresources`,
      own(version.subresources, common.subresources),
    ),
    AdditionalPrinterColumns: printList(
      `${goPackage}.CustomResourceColumnDefinition`,
      columns.map(({ name: column, type, format = "", description = "", priority = 0, jsonPath }) =>
        printStruct(`${goPackage}.CustomResourceColumnDefinition`, {
          Name: column,
          Type: type,
          Format: format,
          Description: description,
          Priority: priority,
          JSONPath: jsonPath,
        }),
      ),
    ),
  });
}

import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
  CustomResourceValidation,
  SelectableField,
} from "../../gen/apiextensions-v1.js";

/**
 * The parts that are equal in all versions. v1beta1 had them at the top of the spec, and Kubernetes still reports them there:
 * `spec.validation.openAPIV3Schema…`.
 */
export interface CommonParts {
  readonly schema: CustomResourceValidation | undefined;
  readonly subresources: CustomResourceSubresources | undefined;
  readonly columns: readonly CustomResourceColumnDefinition[];
  readonly selectableFields: readonly SelectableField[];
}

export function commonParts(versions: readonly CustomResourceDefinitionVersion[]): CommonParts {
  const [first] = versions;
  function ifCommon<P>(part: (version: CustomResourceDefinitionVersion) => P): P | undefined {
    if (first === undefined) return undefined;
    const common = part(first);
    return versions.every((version) => isDeepEqual(part(version), common)) ? common : undefined;
  }
  return {
    schema: ifCommon(({ schema }) => schema),
    subresources: ifCommon(({ subresources }) => subresources),
    columns: ifCommon(({ additionalPrinterColumns }) => additionalPrinterColumns) ?? [],
    selectableFields: ifCommon(({ selectableFields }) => selectableFields) ?? [],
  };
}

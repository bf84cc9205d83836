import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { apidiscoveryV2Types } from "../v2/types.js";

/** The same as v2. */
export const apidiscoveryV2beta1Types: TypePackage = siblingVersion(
  "apidiscovery/v2beta1",
  apidiscoveryV2Types,
);

import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { flowcontrolV1beta2Types } from "../v1beta2/types.js";

/** The same as v1beta2. */
export const flowcontrolV1beta1Types: TypePackage = siblingVersion(
  "flowcontrol/v1beta1",
  flowcontrolV1beta2Types,
);

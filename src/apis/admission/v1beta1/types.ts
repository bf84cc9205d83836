import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { admissionV1Types } from "../v1/types.js";

/** The same as v1. */
export const admissionV1beta1Types: TypePackage = siblingVersion("admission/v1beta1", admissionV1Types);

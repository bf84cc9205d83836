import type { TypePackage } from "../../../apimachinery/schema/declaration.js";
import { siblingVersion } from "../../../apimachinery/schema/sibling-version.js";
import { nodeV1Types } from "../v1/types.js";

/** The same as v1. */
export const nodeV1beta1Types: TypePackage = siblingVersion("node/v1beta1", nodeV1Types);

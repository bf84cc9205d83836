import type { Naming } from "../../../src/naming/naming.js";
import type { ObjectParts } from "../minimal-objects.js";
import { fullCoreObjects } from "./core.js";
import { fullOtherObjects } from "./others.js";
import { fullWorkloads } from "./workloads.js";

/**
 * Valid objects of every kind that can be stored, with every field that a client may set in at least one of them, by
 * `resource.group` as `minimalObjects`; in the first version that is served.
 */
export function fullObjects(
  naming: Naming,
  certificateRequest: string,
): Readonly<Record<string, readonly ObjectParts[]>> {
  return {
    ...fullCoreObjects,
    ...fullWorkloads,
    ...fullOtherObjects((name) => naming.group(name), certificateRequest),
  };
}

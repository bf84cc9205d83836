import {
  type BuiltinObjects,
  type BuiltinResource,
  builtinResourceName,
} from "../../apis/builtin-objects.js";
import type { Naming } from "../../naming/naming.js";
import type { ResourceRegistry } from "./resource-registry.js";

/** The registry of a built-in resource, with the type of its objects. */
export type BuiltinRegistries = <R extends BuiltinResource>(
  resource: R,
) => ResourceRegistry<BuiltinObjects[R]>;

/** `registry` finds a resource by its group, by its name in the profile, and throws for one that is not stored. */
export function builtinRegistries(
  registry: (group: string, resource: string) => ResourceRegistry,
  naming: Pick<Naming, "group">,
): BuiltinRegistries {
  return <R extends BuiltinResource>(name: R) => {
    const { group, resource } = builtinResourceName(name, (stem) => naming.group(stem));
    const found: unknown = registry(group, resource);
    // The definition of a built-in resource decides the type of its objects, and the table repeats it.
    return found as ResourceRegistry<BuiltinObjects[R]>;
  };
}

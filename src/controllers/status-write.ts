import type { ApiObject } from "../apimachinery/objects/meta.js";
import { partStrategy } from "../apis/definition/resource-definition.js";
import type { ResourceRegistry } from "../registry/generic/resource-registry.js";
import { type ControllerContext, controllerUser, controllerWrite } from "./controller.js";
import { ignoreNotFound } from "./ignore-errors.js";

export interface StatusWrite<T extends ApiObject> {
  readonly namespace: string;
  readonly name: string;
  /** Name of the writing user. */
  readonly as: string;
  /** The field manager of the write. Default: none. */
  readonly fieldManager?: string | undefined;
  /** The object's uid must still be this one, if given. */
  readonly uid?: string | undefined;
  /** Works in place; called again on the newer state after a conflict. */
  readonly change: (object: T) => void;
}

/** Writes the status of an object as the server itself. Does nothing when the object is gone. */
export async function writeStatus<T extends ApiObject>(
  context: Pick<ControllerContext, "now">,
  registry: ResourceRegistry<T>,
  { namespace, name, as, fieldManager, uid, change }: StatusWrite<T>,
): Promise<void> {
  const strategy = partStrategy(registry.definition, "status");
  const write = controllerWrite(context, controllerUser(as), namespace, fieldManager);
  await ignoreNotFound(registry.change(write, name, change, { uid, strategy }));
}

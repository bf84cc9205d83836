import type { ConversionScope } from "../../../apimachinery/objects/conversion-scope.js";
import { type MaybePromise, whenDone } from "../../../apimachinery/objects/maybe-promise.js";
import type { ApiObject } from "../../../apimachinery/objects/meta.js";
import type { RemoteConversion } from "../../definition/resource-definition.js";
import type { Strategy } from "../../definition/strategy.js";
import { type Converter, versionMarkOf } from "./converter.js";
import type { CustomObject } from "./custom-object.js";
import { isMarked } from "./stored-form.js";

/** Throws 422 for an object that its version refuses; `replaced` is in the same version. */
export type CheckInVersion = (
  object: CustomObject,
  scope: ConversionScope,
  replaced: { readonly old: CustomObject; readonly part: Strategy<CustomObject> | undefined } | undefined,
) => void;

/** The webhook conversion to and from the storage version. Requests are validated in their own version. */
export function remoteConversion(
  converter: Converter,
  version: string,
  storage: string,
  check: CheckInVersion,
): RemoteConversion<CustomObject> {
  const sourceOf = (hub: CustomObject) => ({ object: hub, from: versionMarkOf(hub) ?? storage });
  const isSame = (hub: CustomObject): boolean => sourceOf(hub).from === version;
  const fromHub = (hub: CustomObject, { signal }: ConversionScope): MaybePromise<CustomObject> => {
    if (isSame(hub)) return { ...hub, apiVersion: undefined };
    const { object, from } = sourceOf(hub);
    return converter.convert(object, from, version, signal);
  };
  // All objects of the version come from its codec.
  const ownForm = (object: ApiObject): CustomObject => object as CustomObject;
  return {
    hub: false,
    remote: true,
    check(object, scope, replaced) {
      if (version === storage) return undefined;
      if (replaced === undefined) return check(ownForm(object), scope, undefined);
      const { current, part } = replaced;
      return whenDone(fromHub(current.old, scope), (old) => check(ownForm(object), scope, { old, part }));
    },
    toHub(object, { signal }) {
      const custom = ownForm(object);
      return version === storage ? custom : converter.convert(custom, version, storage, signal);
    },
    fromHub,
    sharesBody: (stored) => version === storage && !isMarked(stored),
    async fromHubs(hubs, scope) {
      const results: CustomObject[] = hubs.map((hub) => ({ ...hub, apiVersion: undefined }));
      const indexes = hubs.flatMap((hub, index) => (isSame(hub) ? [] : [index]));
      const sources = indexes.flatMap((index) => {
        const hub = hubs[index];
        return hub === undefined ? [] : [sourceOf(hub)];
      });
      const converted = await converter.convertAll(sources, version, scope);
      for (const [at, index] of indexes.entries()) {
        const object = converted[at];
        if (object !== undefined) results[index] = object;
      }
      return results;
    },
  };
}

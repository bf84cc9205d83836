import { badRequest, otherNamespace } from "../../apimachinery/errors/status.js";
import { type ApiLevel, isAtLeast, oldestLevel } from "../../apimachinery/levels/api-level.js";
import type { ObjectMeta } from "../../apimachinery/objects/meta.js";
import { placeInNamespace } from "./place-in-namespace.js";

/** The object that the path of a request names. */
interface Named {
  readonly name: string;
  readonly namespace: string;
}

interface NamingRules {
  readonly namespaced: boolean;
  readonly level?: ApiLevel | undefined;
}

/** For an object that replaces the one that the path names: checks its name, and places it in the namespace. Throws 400. */
export function settleName(metadata: ObjectMeta, named: Named, rules: NamingRules): void {
  checkName(metadata, named, rules);
  placeInNamespace(metadata, named, rules);
}

/**
 * Checks that the body is about the object that the path names, in the words of the level. Throws 400. The body of a cluster-scoped
 * object may state any namespace. So may that of a namespace, although its requests have its name as namespace.
 */
export function checkName(
  { name: sent = "", namespace: sentNamespace = "" }: ObjectMeta,
  { name, namespace }: Named,
  { namespaced, level = oldestLevel }: NamingRules,
): void {
  const isElsewhere = namespaced && namespace !== "" && sentNamespace !== "" && sentNamespace !== namespace;
  // Since 1.24, this is checked before the name.
  if (isElsewhere && isAtLeast(level, "1.24")) throw otherNamespace();
  if (sent === "") {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (sent !== name) {
    throw badRequest(`the name of the object (${sent}) does not match the name on the URL (${name})`);
  }
  if (isElsewhere) {
    throw badRequest(
      `the namespace of the object (${sentNamespace}) does not match the namespace on the request (${namespace})`,
    );
  }
}

import { badRequest } from "../../apimachinery/errors/status.js";
import type { ObjectMeta } from "../../apimachinery/objects/meta.js";

/** Checks that the body is about the object that the path names. Throws 400. */
export function checkName(
  { name: sent = "", namespace: sentNamespace = "" }: ObjectMeta,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): void {
  if (sent === "") {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (sent !== name) {
    throw badRequest(`the name of the object (${sent}) does not match the name on the URL (${name})`);
  }
  if (namespace !== "" && sentNamespace !== "" && sentNamespace !== namespace) {
    throw badRequest(
      `the namespace of the object (${sentNamespace}) does not match the namespace on the request (${namespace})`,
    );
  }
}

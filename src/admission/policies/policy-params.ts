import { scalarTypes } from "../../apimachinery/cel/cel-type.js";
import { type CelValue, fromJson } from "../../apimachinery/cel/cel-value.js";
import { labelSelectorFromObject } from "../../apimachinery/selectors/label-selector.js";
import type { ParamKind, ParamRef } from "../../apis/gen/admissionregistration-v1.js";
import type { PolicyCluster } from "./policy-cluster.js";

/** A binding that cannot be used. */
export class BindingError extends Error {}

/**
 * The parameters with which a policy is evaluated for a binding, one after the other: null when it has none. Empty when none are found and
 * that is allowed. Rejects with `BindingError`.
 */
export async function collectParams(
  paramKind: ParamKind | undefined,
  paramRef: ParamRef | undefined,
  namespace: string,
  cluster: Pick<PolicyCluster, "params">,
): Promise<readonly CelValue[]> {
  if (paramKind === undefined || paramRef === undefined) return [null];
  const { apiVersion = "", kind = "" } = paramKind;
  const slash = apiVersion.indexOf("/");
  const source = cluster.params({
    group: slash < 0 ? "" : apiVersion.slice(0, slash),
    version: apiVersion.slice(slash + 1),
    kind,
  });
  const { name = "", selector } = paramRef;
  if (source === undefined)
    throw new BindingError(`paramKind kind \`${apiVersion}, Kind=${kind}\` not known`);
  const inNamespace = source.namespaced ? paramNamespace(paramRef, namespace) : "";
  if (!source.namespaced && (paramRef.namespace ?? "") !== "") {
    throw new BindingError("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
  }
  if (name === "" && selector === undefined) {
    throw new BindingError("one of name or selector must be provided");
  }
  const found =
    name === ""
      ? await source.select(inNamespace, labelSelectorFromObject(selector))
      : [await source.get(inNamespace, name)].filter((object) => object !== undefined);
  if (found.length === 0 && paramRef.parameterNotFoundAction === "Deny") {
    throw new BindingError("no params found for policy binding with `Deny` parameterNotFoundAction");
  }
  return found.map((object) => fromJson(object, scalarTypes.dyn));
}

function paramNamespace(paramRef: ParamRef, namespace: string): string {
  const chosen = paramRef.namespace ?? "";
  if (chosen !== "") return chosen;
  if (namespace === "") {
    throw new BindingError(
      "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources",
    );
  }
  return namespace;
}

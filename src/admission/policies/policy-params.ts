import { scalarTypes } from "../../apimachinery/cel/cel-type.js";
import { type CelValue, fromJson } from "../../apimachinery/cel/cel-value.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { parseApiVersion } from "../../apimachinery/objects/meta.js";
import { labelSelectorFromObject } from "../../apimachinery/selectors/label-selector.js";
import type { ParamKind, ParamRef } from "../../apis/gen/admissionregistration-v1.js";
import { printedKind } from "../../remote/review-answer.js";
import type { ParamSource, PolicyCluster } from "./policy-cluster.js";

/** The parameters of a binding, or why it cannot be used. */
export type BoundParams =
  | { readonly kind: "params"; readonly params: readonly CelValue[] }
  | { readonly kind: "unusable"; readonly message: string };

interface WithParamKind {
  readonly paramKind?: ParamKind | undefined;
}

type ParamCluster = Pick<PolicyCluster, "params">;

/** Why a policy cannot be used with any binding: parameters of its kind are not served. */
export function paramKindProblem({ paramKind }: WithParamKind, cluster: ParamCluster): string | undefined {
  if (paramKind === undefined || sourceOf(paramKind, cluster) !== undefined) return undefined;
  const { apiVersion = "", kind = "" } = paramKind;
  return `failed to configure policy: failed to find resource referenced by paramKind: '${printedKind({ apiVersion, kind })}'`;
}

function sourceOf({ apiVersion = "", kind = "" }: ParamKind, cluster: ParamCluster): ParamSource | undefined {
  const groupVersion = parseApiVersion(apiVersion);
  return groupVersion && cluster.params({ ...groupVersion, kind });
}

/**
 * The parameters with which a policy is evaluated for a binding, one after the other: null when it has none. Empty when none are found and
 * that is allowed.
 */
export async function collectParams(
  { paramKind }: WithParamKind,
  { paramRef }: { readonly paramRef?: ParamRef | undefined },
  { namespace }: { readonly namespace: string },
  { cluster, level }: { readonly cluster: ParamCluster; readonly level: ApiLevel },
): Promise<BoundParams> {
  if (paramKind === undefined || paramRef === undefined) return { kind: "params", params: [null] };
  const source = sourceOf(paramKind, cluster);
  if (source === undefined) {
    const { apiVersion = "", kind = "" } = paramKind;
    return unusable(`paramKind kind \`${apiVersion}, Kind=${kind}\` not known`);
  }
  if (!isAtLeast(level, "1.28")) return await namedParam(paramRef, source);
  const problem = problemOf(paramRef, source, namespace);
  if (problem !== undefined) return unusable(problem);
  const { name = "", selector } = paramRef;
  const inNamespace = source.namespaced ? paramRef.namespace || namespace : "";
  const found =
    name === ""
      ? await source.select(inNamespace, labelSelectorFromObject(selector))
      : [await source.get(inNamespace, name)].filter((object) => object !== undefined);
  if (found.length === 0 && paramRef.parameterNotFoundAction === "Deny") {
    return unusable("no params found for policy binding with `Deny` parameterNotFoundAction");
  }
  return { kind: "params", params: found.map((object) => fromJson(object, scalarTypes.dyn)) };
}

/** Below 1.28 a reference names one object, and its namespace is never that of the request. */
async function namedParam(
  { name = "", namespace = "" }: ParamRef,
  source: ParamSource,
): Promise<BoundParams> {
  const object = source.namespaced === (namespace !== "") ? await source.get(namespace, name) : undefined;
  if (object === undefined) return unusable(`${name} not found`);
  return { kind: "params", params: [fromJson(object, scalarTypes.dyn)] };
}

function problemOf(paramRef: ParamRef, { namespaced }: ParamSource, namespace: string): string | undefined {
  const { name = "", selector, namespace: chosen = "" } = paramRef;
  if (namespaced && chosen === "" && namespace === "") {
    return "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources";
  }
  if (!namespaced && chosen !== "") {
    return "paramRef.namespace must not be provided for a cluster-scoped `paramKind`";
  }
  return name === "" && selector === undefined ? "one of name or selector must be provided" : undefined;
}

function unusable(why: string): BoundParams {
  return { kind: "unusable", message: `failed to configure binding: ${why}` };
}

import type { ApiContext } from "../../definition/api-context.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import { bindings } from "../binding/resource.js";
import { podTemplates } from "../pod-template/resource.js";
import { replicationControllers } from "../replication-controller/resource.js";
import { pods } from "./resource.js";

/** The kinds of the core group that are about pods. */
export function podResources(context: ApiContext): ResourceDefinition[] {
  return [bindings(context), pods(context), podTemplates(context), replicationControllers(context)];
}

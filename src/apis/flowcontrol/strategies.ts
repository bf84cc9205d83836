import type { FieldError } from "../../apimachinery/errors/field-error.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { type StrategyRules, specStrategy, statusStrategy } from "../definition/base-strategy.js";
import { partVerbs } from "../definition/define-resource.js";
import { keepMetadata } from "../definition/keep-metadata.js";
import type { SubresourceDefinition } from "../definition/resource-definition.js";
import type { Strategy, WriteContext } from "../definition/strategy.js";

interface FlowControlObject extends ApiObject {
  spec: unknown;
  status: { conditions?: unknown[] | undefined };
}

interface FlowControlRules<T extends FlowControlObject> {
  /** `old` of an update. */
  readonly validate: (context: WriteContext, object: T, old?: T) => FieldError[];
  readonly validateStatus: StrategyRules<T>["validateUpdate"];
}

/** Strategies of both kinds of the group, and of their `status` subresource. */
export function flowControlStrategies<T extends FlowControlObject>(
  rules: FlowControlRules<T>,
): { readonly main: Strategy<T>; readonly status: SubresourceDefinition<T> } {
  const { validate, validateStatus } = rules;
  const main = specStrategy<T>({ emptyStatus: () => ({}), validate, validateUpdate: validate });
  const status = statusStrategy<T>(main, {
    resetFields: [["metadata"], ["spec"]],
    prepareForUpdate: (_context, object, old) => keepMetadata(object, old),
    ...(validateStatus !== undefined && { validateUpdate: validateStatus }),
  });
  return { main, status: { kind: "part", name: "status", verbs: partVerbs, strategy: status } };
}

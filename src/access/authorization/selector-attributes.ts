import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { SelectorRequirement } from "../../apimachinery/requests/access-selectors.js";
import type { AccessInfo } from "../../apimachinery/requests/authorizer.js";

/**
 * The selectors of a question in the form of a SubjectAccessReview; empty without any. `emptyLists`: whether conditions without values get
 * an empty list.
 */
export function selectorAttributes({ selectors }: AccessInfo, emptyLists = false): JsonObject {
  if (selectors === undefined) return {};
  const { fields, labels } = selectors;
  const requirement = ({ key, operator, values = [] }: SelectorRequirement): JsonObject => ({
    key,
    operator,
    ...((emptyLists || values.length > 0) && { values: [...values] }),
  });
  return {
    ...(fields.length > 0 && { fieldSelector: { requirements: fields.map(requirement) } }),
    ...(labels.length > 0 && { labelSelector: { requirements: labels.map(requirement) } }),
  };
}

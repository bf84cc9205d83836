import { append } from "../../../apimachinery/collections/append.js";
import { type FieldError, FieldPath, forbidden } from "../../../apimachinery/errors/field-error.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { PodLogOptions } from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";

const rules = fieldRules<PodLogOptions>(coreV1Types, "PodLogOptions");

/** Options of a request for a container's log; `takesStream` allows one stream only, by the gate PodLogsQuerySplitStreams. */
export function validatePodLogOptions(options: PodLogOptions, takesStream: boolean): FieldError[] {
  const { tailLines, sinceSeconds, sinceTime, stream } = options;
  const errors = rules.check(options, FieldPath.root, "tailLines", "limitBytes");
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    const why = "at most one of `sinceTime` or `sinceSeconds` may be specified";
    errors.push(forbidden(FieldPath.nameless, why));
  } else append(errors, rules.check(options, FieldPath.root, "sinceSeconds"));
  if (stream !== undefined && !takesStream) {
    errors.push(forbidden(FieldPath.root.child("stream"), "may not be specified"));
    return errors;
  }
  append(errors, rules.check(options, FieldPath.root, "stream"));
  if (stream !== undefined && stream !== "All" && tailLines !== undefined) {
    const why = "`tailLines` and specific `stream` are mutually exclusive for now";
    errors.push(forbidden(FieldPath.nameless, why));
  }
  return errors;
}

import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  notSupported,
} from "../../../apimachinery/errors/field-error.js";
import { isNegativeMessage } from "../../../apimachinery/validation/values.js";
import type { PodLogOptions } from "../../gen/core-v1.js";

/** Options of a request for a container's log. */
export function validatePodLogOptions(options: PodLogOptions): FieldError[] {
  const errors: FieldError[] = [];
  const { tailLines, limitBytes, sinceSeconds, sinceTime, stream } = options;
  if (tailLines !== undefined && tailLines < 0) {
    errors.push(invalid(FieldPath.of("tailLines"), tailLines, isNegativeMessage));
  }
  if (limitBytes !== undefined && limitBytes < 1) {
    errors.push(invalid(FieldPath.of("limitBytes"), limitBytes, "must be greater than 0"));
  }
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    const why = "at most one of `sinceTime` or `sinceSeconds` may be specified";
    errors.push(forbidden(FieldPath.of(""), why));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    errors.push(invalid(FieldPath.of("sinceSeconds"), sinceSeconds, "must be greater than 0"));
  }
  if (stream === undefined) return errors;
  if (!streams.includes(stream)) errors.push(notSupported(FieldPath.of("stream"), stream, streams));
  if (stream !== "All" && tailLines !== undefined) {
    const why = "`tailLines` and specific `stream` are mutually exclusive for now";
    errors.push(forbidden(FieldPath.of(""), why));
  }
  return errors;
}

const streams = ["All", "Stderr", "Stdout"];

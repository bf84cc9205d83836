import { ApiError } from "../api/request.ts";
import { parseYaml } from "./yaml-text.ts";

/** A failure whose status came as YAML, like the object that was asked for. */
export function readableFailure(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.reason !== "") return error;
  const parsed = parseYaml(error.text);
  return parsed.kind === "object" ? new ApiError(error.code, parsed.object, error.text) : error;
}

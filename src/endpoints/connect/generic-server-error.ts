import { qualifiedResource, StatusError, type StatusReason } from "../../apimachinery/errors/status.js";
import { serverErrorText } from "../../remote/server-error-text.js";

const reasons: Readonly<Record<number, StatusReason>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  409: "Conflict",
  422: "Invalid",
  429: "TooManyRequests",
  503: "ServiceUnavailable",
  504: "Timeout",
};

/** The `Status` for an answer that is not itself a Status. Source: Kubernetes' `NewGenericServerResponse`. */
export function genericServerError(
  code: number,
  of: { readonly group: string; readonly resource: string },
  name: string,
  text: string,
): StatusError {
  const reason = reasons[code] ?? (code >= 500 ? "InternalError" : undefined);
  return new StatusError({
    message: `${serverErrorText(code, text)} ( ${qualifiedResource(of)} ${name})`,
    ...(reason !== undefined && { reason }),
    details: { name, ...(of.group !== "" && { group: of.group }), kind: of.resource },
    code,
  });
}

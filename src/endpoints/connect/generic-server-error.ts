import { qualifiedResource, StatusError, type StatusReason } from "../../apimachinery/status.js";

const unhelpful: Readonly<Record<number, readonly [StatusReason, string]>> = {
  401: ["Unauthorized", "the server has asked for the client to provide credentials"],
  404: ["NotFound", "the server could not find the requested resource"],
  405: ["MethodNotAllowed", "the server does not allow this method on the requested resource"],
  409: ["Conflict", "the server reported a conflict"],
  422: ["Invalid", "the server rejected our request due to an error in our request"],
  429: ["TooManyRequests", "the server has received too many requests and has asked us to try again later"],
  503: ["ServiceUnavailable", "the server is currently unable to handle the request"],
  504: [
    "Timeout",
    "the server was unable to return a response in the time allotted, but may still be processing the request",
  ],
};

/** The `Status` for an answer that is not a Status itself. Source: Kubernetes' `NewGenericServerResponse`. */
export function genericServerError(
  code: number,
  of: { readonly group: string; readonly resource: string },
  name: string,
  text: string,
): StatusError {
  const [reason, message] = reasonAndMessage(code, text);
  return new StatusError({
    message: `${message} ( ${qualifiedResource(of)} ${name})`,
    ...(reason !== undefined && { reason }),
    details: { name, ...(of.group !== "" && { group: of.group }), kind: of.resource },
    code,
  });
}

function reasonAndMessage(code: number, text: string): readonly [StatusReason | undefined, string] {
  if (code === 403) return ["Forbidden", text];
  const known = unhelpful[code];
  if (known !== undefined) return known;
  if (code >= 500) {
    return [
      "InternalError",
      `an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`,
    ];
  }
  return [undefined, `the server responded with the status code ${code} but did not return more information`];
}

import { parseJson } from "../apimachinery/json/json-parse.js";
import { isJsonObject } from "../apimachinery/json/json-value.js";
import type { RemoteAnswer } from "./remote-call.js";

/** Texts for codes after which the body is not shown. Source: Kubernetes' `NewGenericServerResponse`. */
const unhelpful: Readonly<Record<number, string>> = {
  400: "the server rejected our request for an unknown reason",
  401: "the server has asked for the client to provide credentials",
  404: "the server could not find the requested resource",
  405: "the server does not allow this method on the requested resource",
  409: "the server reported a conflict",
  422: "the server rejected our request due to an error in our request",
  429: "the server has received too many requests and has asked us to try again later",
  503: "the server is currently unable to handle the request",
  504: "the server was unable to return a response in the time allotted, but may still be processing the request",
};

/** Describes an answer that is not a success by its code and text, as clients of Kubernetes do. */
export function serverErrorText(code: number, text: string): string {
  if (code === 403 || code === 415) return text;
  const known = unhelpful[code];
  if (known !== undefined) return known;
  if (code >= 500) {
    return `an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`;
  }
  return `the server responded with the status code ${code} but did not return more information`;
}

const shownMax = 2_048;

/** Why a webhook refused: the message of its `Status`, otherwise the text for its code. Only a body of text is shown. */
export function refusalText({ status, headers, body }: RemoteAnswer): string {
  const isText = /^text\/|^$/i.test(String(headers["content-type"] ?? ""));
  const text = isText ? body.subarray(0, shownMax).toString("utf8").trim() : "unknown";
  return statusMessage(body) ?? serverErrorText(status, text);
}

function statusMessage(body: Buffer): string | undefined {
  if (body.length > shownMax) return undefined;
  try {
    const value = parseJson(body);
    const isStatus = isJsonObject(value) && value.kind === "Status" && value.status === "Failure";
    return isStatus && typeof value.message === "string" && value.message !== "" ? value.message : undefined;
  } catch {
    return undefined;
  }
}

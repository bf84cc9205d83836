import { isIP } from "node:net";
import { StatusError } from "../../apimachinery/errors/status.js";
import type { ConnectTarget } from "../../endpoints/connect/connect-result.js";
import type { ForwardedHeaders } from "./forward-headers.js";
import {
  callUpstream,
  type Dial,
  type UpstreamAnswer,
  UpstreamError,
  type UpstreamRequest,
} from "./upstream.js";

/** A request to another server, and the error if that cannot be reached. */
export interface Call {
  readonly target: ConnectTarget;
  /** Path and query. */
  readonly path: string;
  readonly headers: ForwardedHeaders;
  readonly signal: AbortSignal;
  readonly failed: (error: string) => StatusError;
}

/** Rejects with what `failed` makes of an `UpstreamError`, or with the signal's reason. */
export async function call(
  { target, path, headers, signal, failed }: Call,
  request: Pick<UpstreamRequest, "method" | "body">,
  dial: Dial | undefined,
): Promise<UpstreamAnswer> {
  try {
    return await callUpstream(target, { ...request, path, headers }, signal, dial);
  } catch (error) {
    throw error instanceof UpstreamError ? failed(error.message) : error;
  }
}

/** Host and port as in a URL. */
export function authorityOf({ host, port }: ConnectTarget): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

/** 500 without a reason, as Kubernetes answers unclassified errors. */
export function unclassified(message: string): StatusError {
  return new StatusError({ message, code: 500 });
}

import { badRequest, type StatusError } from "../../apimachinery/errors/status.js";

/** 400 for a body without recognizable kind and version, in Kubernetes' words, which people search for. */
export function unrecognizedBody(what: {
  readonly expectedKind: string;
  readonly why: string;
  readonly bytes: Uint8Array;
  readonly cause?: unknown;
}): StatusError {
  const { expectedKind, why, bytes, cause } = what;
  return badRequest(
    `the object provided is unrecognized (must be of type ${expectedKind}): ${why} (${summary(bytes)})`,
    cause,
  );
}

const summaryBytes = 30;

/** The beginning of the body: as text when it looks like JSON, otherwise in hexadecimal. */
function summary(bytes: Uint8Array): string {
  if (bytes.length === 0) return "<empty>";
  const start = Buffer.from(bytes.subarray(0, summaryBytes));
  const text = start[0] === 0x7b ? start.toString("utf8") : start.toString("hex");
  return bytes.length > summaryBytes ? `${text} ...` : text;
}

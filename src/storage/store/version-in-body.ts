import { Buffer } from "node:buffer";
import type { Revision } from "../kv.js";

const comma = 44;

/** `body` with resourceVersion `to` instead of `from`. Undefined when it is unclear which text to replace. */
export function withOtherVersion(body: Buffer, from: Revision, to: Revision): Buffer | undefined {
  const found = findVersion(body, from);
  if (found === undefined) return undefined;
  const replacement = versionMember(to);
  const result = Buffer.allocUnsafeSlow(body.length - (found.end - found.start) + replacement.length);
  body.copy(result, 0, 0, found.start);
  result.write(replacement, found.start, "latin1");
  body.copy(result, found.start + replacement.length, found.end);
  return result;
}

/** The body without its resourceVersion, between two ASCII texts. Undefined when it is unclear which text to leave out. */
export function withoutVersion(
  body: Buffer,
  revision: Revision,
  { before, after }: { readonly before: string; readonly after: string },
): Buffer | undefined {
  const found = findVersion(body, revision);
  if (found === undefined) return undefined;
  // It is never the only member of metadata: objects have names.
  const isFirst = body[found.start - 1] !== comma;
  const start = isFirst ? found.start : found.start - 1;
  const end = isFirst ? found.end + 1 : found.end;
  const result = Buffer.allocUnsafe(before.length + body.length - (end - start) + after.length);
  result.write(before, 0, "latin1");
  body.copy(result, before.length, 0, start);
  body.copy(result, before.length + start, end);
  result.write(after, result.length - after.length, "latin1");
  return result;
}

const metadataHead = Buffer.from('"metadata":{');
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/** Undefined when the same text also occurs elsewhere (among the labels, say). */
function findVersion(
  body: Buffer,
  revision: Revision,
): { readonly start: number; readonly end: number } | undefined {
  const member = versionMember(revision);
  const start = body.indexOf(member, 0, "latin1");
  if (start < 0) return undefined;
  const end = start + member.length;
  const isSure = isInMetadata(body, start) || body.indexOf(member, end, "latin1") < 0;
  return isSure ? { start, end } : undefined;
}

/** Whether it is a direct member of metadata, with which the body begins: no brace in between. */
function isInMetadata(body: Buffer, at: number): boolean {
  if (!body.subarray(0, metadataHead.length).equals(metadataHead)) return false;
  const between = body.subarray(metadataHead.length, at);
  return !between.includes(openingBrace) && !between.includes(closingBrace);
}

function versionMember(revision: Revision): string {
  return `"resourceVersion":"${revision}"`;
}

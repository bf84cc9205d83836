import { mediaTypeOf } from "../../apimachinery/requests/media-range.js";

const brace = 0x7b;

/** Whether a small body may expand to very many values: aliases in YAML, copies in a JSON patch. Both are rare. */
export function mayGrow({
  bytes,
  contentType = "",
}: {
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
}): boolean {
  if (bytes.length === 0 || contentType === "") return false;
  const mediaType = mediaTypeOf(contentType);
  if (mediaType.endsWith("yaml")) {
    return bytes[0] !== brace && contains(bytes, "&") && contains(bytes, "*");
  }
  // A letter may be written as an escape.
  return mediaType.endsWith("/json-patch+json") && (contains(bytes, '"copy"') || contains(bytes, "\\u"));
}

function contains(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(text);
}

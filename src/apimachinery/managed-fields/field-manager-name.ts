/** The limit of kube-apiserver, in bytes. */
const nameBytesMax = 128;

/** The manager of a write: the `fieldManager` parameter, or the program named by the user agent. */
export function fieldManagerName(requested: string, userAgent: string): string {
  if (requested !== "") return requested;
  let name = "";
  let bytes = 0;
  for (const character of userAgent.split("/", 1)[0] ?? "") {
    bytes += Buffer.byteLength(character);
    if (bytes > nameBytesMax) break;
    if (/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character)) name += character;
  }
  return name;
}

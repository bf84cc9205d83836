/** Source: Kubernetes' limit, in bytes. */
const nameBytesMax = 128;

/** Who a write is by: what the request says, else the program that its user agent names. */
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

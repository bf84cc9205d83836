/** A dual-stack socket has IPv4 addresses as `::ffff:a.b.c.d`; Go prints the IPv4 address. Empty if the socket is closed. */
export function shownAddress(address: string | undefined): string {
  if (address === undefined) return "";
  return address.startsWith("::ffff:") ? address.slice(7) : address;
}

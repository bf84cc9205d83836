/** Descriptor of the first inherited socket. Source: systemd, `sd_listen_fds(3)`. */
const firstDescriptor = 3;

/**
 * The descriptor of the listening socket that whoever started this process handed over: `LISTEN_FDS` says that there is one,
 * `LISTEN_PID` whom it is for, where it is set. Undefined when there is none.
 */
export function inheritedSocket(
  env: Readonly<Record<string, string | undefined>>,
  pid: number,
): number | undefined {
  const { LISTEN_FDS: count, LISTEN_PID: owner } = env;
  if (count === undefined || !(Number(count) >= 1)) return undefined;
  return owner === undefined || Number(owner) === pid ? firstDescriptor : undefined;
}

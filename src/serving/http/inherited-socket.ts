/** Descriptor of the first inherited socket. Source: systemd, `sd_listen_fds(3)`. */
const firstDescriptor = 3;

/**
 * The descriptor of the listening socket inherited from the parent process: `LISTEN_FDS` is the number of sockets, and `LISTEN_PID`, if
 * set, the pid that they are meant for. Undefined when there is none.
 */
export function inheritedSocket(
  env: Readonly<Record<string, string | undefined>>,
  pid: number,
): number | undefined {
  const { LISTEN_FDS: count, LISTEN_PID: owner } = env;
  if (count === undefined || !(Number(count) >= 1)) return undefined;
  return owner === undefined || Number(owner) === pid ? firstDescriptor : undefined;
}

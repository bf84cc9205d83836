/** Watches that end each second at least: clients should find another server soon. Source: kube-apiserver, `WatchRequestWaitGroup`. */
const leastPerSecond = 200;
const roundMs = 10;

/**
 * Ends the open watches of a server that stops: at once, or spread over the grace period, so that clients do not all reach the next server
 * at the same time.
 */
export function endWatches(open: ReadonlySet<() => void>, graceMs: number): void {
  if (graceMs <= 0) {
    endSome(open, open.size);
    return;
  }
  const perSecond = Math.max(leastPerSecond, (open.size * 1000) / graceMs);
  const startedAt = performance.now();
  let ended = 0;
  const timer = setInterval(() => {
    const passedMs = performance.now() - startedAt;
    const due = passedMs >= graceMs ? open.size : Math.floor((passedMs * perSecond) / 1000) - ended;
    endSome(open, due);
    ended += due;
    if (open.size === 0) clearInterval(timer);
  }, roundMs);
}

function endSome(open: ReadonlySet<() => void>, count: number): void {
  let left = count;
  for (const end of [...open]) {
    if (left-- <= 0) return;
    end();
  }
}

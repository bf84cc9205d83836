/**
 * Aborts with the first of the signals. On Node.js 20, `AbortSignal.any` leaks memory with every request if one of the signals lives as
 * long as the server.
 */
export function firstOf(signals: readonly AbortSignal[]): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signals.find(({ aborted }) => aborted)?.reason);
  for (const each of signals) each.addEventListener("abort", onAbort, { once: true });
  if (signals.some(({ aborted }) => aborted)) onAbort();
  return {
    signal: controller.signal,
    release() {
      for (const each of signals) each.removeEventListener("abort", onAbort);
    },
  };
}

export function afterMs(timeoutMs: number): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  return { signal: controller.signal, stop: () => clearTimeout(timer) };
}

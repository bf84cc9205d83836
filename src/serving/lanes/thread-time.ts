/** `performance.now` counts from the start of each thread, `process.hrtime` is the same in all of them. */
const threadStartMs = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** Converts `performance.now` of this thread to a time that all threads share. */
export function sharedTimeOf(threadMs: number): number {
  return threadMs + threadStartMs;
}

export function threadTimeOf(sharedMs: number): number {
  return sharedMs - threadStartMs;
}

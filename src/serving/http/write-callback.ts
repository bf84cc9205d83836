/**
 * Of a stream's write callback, calls `listener` when the bytes were taken. After an error they may still be read: the stream fails its
 * writes before a compressing thread or an unfinished frame has let go of them.
 */
export function unlessFailed(
  listener: (() => void) | undefined,
): ((error?: Error | null) => void) | undefined {
  if (listener === undefined) return undefined;
  return (error) => {
    if (error === undefined || error === null) listener();
  };
}

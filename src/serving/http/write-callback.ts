/**
 * Wraps a stream's write callback: calls `listener` when the bytes were taken. After an error the bytes may still be in use, because
 * the stream fails its writes before a compressing thread or an unfinished frame is done with them.
 */
export function unlessFailed(
  listener: (() => void) | undefined,
): ((error?: Error | null) => void) | undefined {
  if (listener === undefined) return undefined;
  return (error) => {
    if (error === undefined || error === null) listener();
  };
}

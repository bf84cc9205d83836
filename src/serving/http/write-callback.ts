/**
 * Wraps a stream's write callback: calls `listener` when the bytes were taken. After an error the bytes may still be in use, because a
 * stream fails its writes while a compressing thread or an unfinished frame still reads them.
 */
export function unlessFailed(
  listener: (() => void) | undefined,
): ((error?: Error | null) => void) | undefined {
  if (listener === undefined) return undefined;
  return (error) => {
    if (error === undefined || error === null) listener();
  };
}

/** Makes the value on the first call: metrics that most servers never count would be shown as soon as they exist. */
export function onDemand<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

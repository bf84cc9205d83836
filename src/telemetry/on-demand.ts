/** Makes the value when it is first asked for: families of metrics that most servers never count would still be shown. */
export function onDemand<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

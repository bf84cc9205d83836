/** A pod of one container, as JSON. */
export function podWith(spec: object = {}, metadata: object = {}): object {
  return {
    metadata: { name: "pod", ...metadata },
    spec: { containers: [{ name: "a", image: "a" }], ...spec },
  };
}

/** The same with fields of its container. */
export function podOfContainer(container: object, spec: object = {}): object {
  return podWith({ containers: [{ name: "a", image: "a", ...container }], ...spec });
}

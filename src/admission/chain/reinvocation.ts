/**
 * State shared by the mutating passes over one object: a webhook that changes the object may cause another pass, so that plugins
 * before it see the change. Source: Kubernetes documentation, "Dynamic Admission Control", "Reinvocation policy".
 */
export class Reinvocation {
  #isReinvoke = false;
  #isRequested = false;

  /** True during the second pass; there is no third. */
  get isReinvoke(): boolean {
    return this.#isReinvoke;
  }

  get isRequested(): boolean {
    return this.#isRequested;
  }

  request(): void {
    this.#isRequested = true;
  }

  begin(): void {
    this.#isReinvoke = true;
  }
}

/** The webhooks or policies of one plugin that must be called again if the object changes after their call. */
export class CallsAgain {
  readonly #called = new Set<string>();
  readonly #again = new Set<string>();

  /** Whether any were called that a later change concerns. */
  get isWaiting(): boolean {
    return this.#called.size > 0;
  }

  called(key: string): void {
    this.#called.add(key);
  }

  /** The object has changed: all those that were called before must be called again. */
  objectChanged(): void {
    for (const key of this.#called) this.#again.add(key);
    this.#called.clear();
  }

  has(key: string): boolean {
    return this.#again.has(key);
  }
}

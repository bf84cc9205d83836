/**
 * What the mutating passes over one object tell each other: a webhook that changes the object may ask for another pass, so that
 * plugins before it see the change. Source: KEP-1040's description of `reinvocationPolicy`.
 */
export class Reinvocation {
  #isReinvoke = false;
  #isRequested = false;
  readonly #notes = new Map<string, unknown>();

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

  /** What a plugin left for its second pass. */
  note(plugin: string): unknown {
    return this.#notes.get(plugin);
  }

  setNote(plugin: string, value: unknown): void {
    this.#notes.set(plugin, value);
  }
}

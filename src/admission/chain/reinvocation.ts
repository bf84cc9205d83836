/**
 * State shared by the mutating passes over one object: a webhook that changes the object may cause another pass, so that plugins
 * before it see the change. Source: Kubernetes documentation, "Dynamic Admission Control", "Reinvocation policy".
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

  /** A plugin's notes for its second pass. */
  note(plugin: string): unknown {
    return this.#notes.get(plugin);
  }

  setNote(plugin: string, value: unknown): void {
    this.#notes.set(plugin, value);
  }
}

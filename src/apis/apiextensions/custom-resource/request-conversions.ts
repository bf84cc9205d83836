/** The most bytes to remember of one request's conversions. */
const bytesMax = 4 * 1024 * 1024;

/** Remembers what a request converted, by source object: a write needs the same object in one version several times. */
export class RequestConversions {
  readonly #texts = new Map<string, string>();
  #bytes = 0;

  get(source: string, to: string): string | undefined {
    return this.#texts.get(`${to} ${source}`);
  }

  keep(source: string, to: string, converted: string): void {
    const key = `${to} ${source}`;
    this.#texts.set(key, converted);
    this.#bytes += key.length + converted.length;
    for (const [oldest, text] of this.#texts) {
      if (this.#bytes <= bytesMax) break;
      this.#texts.delete(oldest);
      this.#bytes -= oldest.length + text.length;
    }
  }
}

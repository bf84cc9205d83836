/** The figures of a benchmark: printed as a table while they arrive, and at the end as one line of JSON. */
export class Figures {
  readonly #values: Record<string, number> = {};

  /** `name` is the key in the JSON, if it differs from the text in the table. */
  record(shown: string, value: number, name: string = shown): void {
    this.#values[name] = Math.round(value * 10_000) / 10_000;
    const text = value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
    console.log(`${text.padStart(12)}  ${shown}`);
  }

  /** NaN for a figure that was not recorded. */
  get(name: string): number {
    return this.#values[name] ?? Number.NaN;
  }

  end(): void {
    console.log(JSON.stringify(this.#values));
  }
}

/** What a benchmark finds: printed as a table while it comes, and at the end as one line of JSON. */
export class Figures {
  readonly #values: Record<string, number> = {};

  /** `name` is that in the JSON, where the table says it in other words. */
  record(shown: string, value: number, name: string = shown): void {
    this.#values[name] = Math.round(value * 10_000) / 10_000;
    const text = value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
    console.log(`${text.padStart(12)}  ${shown}`);
  }

  /** NaN for what was not recorded. */
  get(name: string): number {
    return this.#values[name] ?? Number.NaN;
  }

  end(): void {
    console.log(JSON.stringify(this.#values));
  }
}

/** Whether simulated components are at work, or about to be: less urgent work gives way to them. */
export class Activity {
  #atWork = 0;
  #begun = 0;

  /** How often work has begun; undefined while some is under way. */
  get rest(): number | undefined {
    return this.#atWork === 0 ? this.#begun : undefined;
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#atWork++;
    this.#begun++;
    try {
      return await work();
    } finally {
      this.#atWork--;
    }
  }
}

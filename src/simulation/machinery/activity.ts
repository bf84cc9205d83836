/** Tells whether simulated components are working, or about to, so that less urgent work can give way. */
export class Activity {
  #atWork = 0;
  #begun = 0;

  /** How often work has begun; undefined while some is going on. */
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

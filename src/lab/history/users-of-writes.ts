/** How many writes are remembered, the newest, at about a hundred bytes each. */
const writesMax = 100_000;

/** Which user wrote which revision. The store does not record it, but the audit does. */
export class UsersOfWrites {
  /** Oldest first. */
  readonly #users = new Map<number, string>();

  note(revision: number, user: string): void {
    this.#users.set(revision, user);
    if (this.#users.size <= writesMax) return;
    const [oldest] = this.#users.keys();
    if (oldest !== undefined) this.#users.delete(oldest);
  }

  of(revision: number): string | undefined {
    return this.#users.get(revision);
  }
}

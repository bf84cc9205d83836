/** A queue in which users take turns; each user's own items come in order. */
export class UserQueue<T> {
  /** Waiting users; the first has the next turn. */
  readonly #users = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(user: string, item: T): void {
    const items = this.#users.get(user);
    if (items === undefined) this.#users.set(user, [item]);
    else items.push(item);
    this.#size += 1;
  }

  /** Takes the next item of an `accepted` user, who then goes to the end of the queue. */
  take(accepted: (user: string) => boolean = () => true): T | undefined {
    let next: [string, T[]] | undefined;
    for (const each of this.#users) {
      if (!accepted(each[0])) continue;
      next = each;
      break;
    }
    if (next === undefined) return undefined;
    const [user, items] = next;
    const item = items.shift();
    this.#users.delete(user);
    if (items.length > 0) this.#users.set(user, items);
    this.#size -= 1;
    return item;
  }

  remove(user: string, item: T): void {
    const items = this.#users.get(user);
    const at = items?.indexOf(item) ?? -1;
    if (items === undefined || at < 0) return;
    items.splice(at, 1);
    if (items.length === 0) this.#users.delete(user);
    this.#size -= 1;
  }

  /** Removes and returns all items. */
  drain(): T[] {
    const all = [...this.#users.values()].flat();
    this.#users.clear();
    this.#size = 0;
    return all;
  }
}

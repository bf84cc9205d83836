import type { Selection, StoredObject, WatchEvent } from "../../storage/object-store.js";
import { type BodyForms, RestampedObject } from "../../storage/store/restamped-object.js";
import { eventTypeFor } from "../../storage/store/selection.js";

export type ChangeEvent<T> = Exclude<WatchEvent<T>, { readonly type: "BOOKMARK" }>;

/** A change with converted objects, as watchers see it whose selectors apply to converted objects. Equal events are the same object. */
export class ConvertedEvent<T> {
  readonly #event: ChangeEvent<T>;
  readonly #forms: BodyForms<T>;
  #entering: ChangeEvent<T> | undefined;
  #leaving: ChangeEvent<T> | undefined;

  constructor(event: ChangeEvent<T>, forms: BodyForms<T>) {
    this.#event = event;
    this.#forms = forms;
  }

  shownTo(selection: Required<Pick<Selection, "matches">>): ChangeEvent<T> | undefined {
    const event = this.#event;
    const before = event.type === "DELETED" ? event.object : event.previous;
    const after = event.type === "DELETED" ? undefined : event.object;
    const type = eventTypeFor(selection, before, after);
    if (type === undefined || type === event.type) return type && event;
    if (type !== "DELETED") {
      this.#entering ??= { ...event, type };
      return this.#entering;
    }
    this.#leaving ??= { ...event, type, object: this.#lastState(before ?? event.object) };
    return this.#leaving;
  }

  #lastState(object: StoredObject<T>): StoredObject<T> {
    return new RestampedObject(this.#forms, object, this.#event.revision);
  }
}

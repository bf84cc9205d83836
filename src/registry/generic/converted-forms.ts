import { IdleEviction } from "../../apimachinery/collections/idle-eviction.js";

const recent = new IdleEviction<ConvertedForms<object, unknown>>(20_000, (forms) => forms.age());

/**
 * What stored objects look like in a version, made once for each: kept while the object is, and until none of them was used for 40 to
 * 60 seconds.
 */
export class ConvertedForms<T extends object, Form> {
  #forms = new WeakMap<T, Form>();
  #isUsed = false;

  /** The one that is kept, or a new one. */
  get(object: T, make: (object: T) => Form): Form {
    this.#isUsed = true;
    let form = this.#forms.get(object);
    if (form === undefined) {
      form = make(object);
      this.#forms.set(object, form);
      recent.used(this);
    }
    return form;
  }

  /** The one that is kept. */
  known(object: T): Form | undefined {
    return this.#forms.get(object);
  }

  /** Takes one that was made elsewhere. */
  keep(object: T, form: Form): void {
    this.#isUsed = true;
    this.#forms.set(object, form);
    recent.used(this);
  }

  /** Called when nothing new was made for a while. */
  age(): void {
    if (this.#isUsed) {
      this.#isUsed = false;
      recent.used(this);
    } else this.#forms = new WeakMap();
  }
}

import { IdleEviction } from "../../apimachinery/collections/idle-eviction.js";

const recent = new IdleEviction<ConvertedForms<object, Sized>>(20_000, (forms) => forms.age());

interface Sized {
  readonly length: number;
}

const keptBytesMax = 32 * 1024 * 1024;

/**
 * The forms of stored objects in a version, each made once. They are kept as long as the object, and until none of them was used for 40 to
 * 60 seconds. Those that do not fit are made each time, so that a list of many large objects costs time and not memory.
 */
export class ConvertedForms<T extends object, Form extends Sized> {
  readonly #bytesMax: number;
  #forms = new WeakMap<T, Form>();
  /** Bytes of all that were kept, including those of objects that are gone since. */
  #bytes = 0;
  #isUsed = false;

  constructor(bytesMax = keptBytesMax) {
    this.#bytesMax = bytesMax;
  }

  /** The kept form, or a new one. */
  get(object: T, make: (object: T) => Form): Form {
    this.#isUsed = true;
    let form = this.#forms.get(object);
    if (form === undefined) {
      form = make(object);
      if (this.#bytes + form.length > this.#bytesMax) return form;
      this.#bytes += form.length;
      this.#forms.set(object, form);
      recent.used(this);
    }
    return form;
  }

  /** The kept form. */
  known(object: T): Form | undefined {
    return this.#forms.get(object);
  }

  /** Keeps a form that was made elsewhere. */
  keep(object: T, form: Form): void {
    this.#isUsed = true;
    this.#forms.set(object, form);
    recent.used(this);
  }

  /** Called when nothing new was made for a while. */
  age(): void {
    if (this.#isUsed && this.#bytes < this.#bytesMax / 2) {
      this.#isUsed = false;
      recent.used(this);
      return;
    }
    this.#forms = new WeakMap();
    this.#bytes = 0;
  }
}

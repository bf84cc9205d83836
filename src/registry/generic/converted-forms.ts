import { IdleEviction } from "../../apimachinery/collections/idle-eviction.js";

const recent = new IdleEviction<ConvertedForms<object, Sized>>(20_000, (forms) => forms.age());

interface Sized {
  readonly length: number;
}

const keptBytesMax = 32 * 1024 * 1024;

/**
 * Caches one form (representation in a version) of each stored object. Forms live as long as the object, and until none was used for 40
 * to 60 seconds. Those that do not fit are made each time, so that a list of many large objects costs time and not memory.
 */
export class ConvertedForms<T extends object, Form extends Sized> {
  readonly #bytesMax: number;
  #forms = new WeakMap<T, Form>();
  /** Bytes of all cached forms, including those of objects that have since been freed. */
  #bytes = 0;
  #isUsed = false;

  constructor(bytesMax = keptBytesMax) {
    this.#bytesMax = bytesMax;
  }

  /** The cached form, or a new one. */
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

  /** Caches a form that was made elsewhere. */
  keep(object: T, form: Form): void {
    this.#isUsed = true;
    this.#forms.set(object, form);
    recent.used(this);
  }

  /** Called when no new form was made for a while. */
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

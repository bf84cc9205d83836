import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { ConvertedForms } from "../../registry/generic/converted-forms.js";
import type { VersionedView } from "../../registry/generic/versioned-view.js";
import type { StoredObject } from "../../storage/object-store.js";

/** Makes a form of an object that its view does not offer. */
export type ViewForm = (view: VersionedView<ApiObject>, stored: StoredObject<ApiObject>) => Buffer;

type Forms = ConvertedForms<StoredObject<ApiObject>, Buffer>;

/** By view, because each shows another version, and by the name of the form. */
const formsOfViews = new WeakMap<VersionedView<ApiObject>, Map<string, Forms>>();

function formsOf(view: VersionedView<ApiObject>, name: string): Forms {
  let ofView = formsOfViews.get(view);
  if (ofView === undefined) {
    ofView = new Map();
    formsOfViews.set(view, ofView);
  }
  let forms = ofView.get(name);
  if (forms === undefined) {
    forms = new ConvertedForms();
    ofView.set(name, forms);
  }
  return forms;
}

/** The form of this name, made once for each object while it is in demand. */
export function madeForm(
  view: VersionedView<ApiObject>,
  stored: StoredObject<ApiObject>,
  name: string,
  make: ViewForm,
): Buffer {
  return formsOf(view, name).get(stored, () => make(view, stored));
}

/** The form, if it was made already. */
export function knownForm(
  view: VersionedView<ApiObject>,
  stored: StoredObject<ApiObject>,
  name: string,
): Buffer | undefined {
  return formsOf(view, name).known(stored);
}

/** Keeps a form that another thread made. */
export function keepForm(
  view: VersionedView<ApiObject>,
  stored: StoredObject<ApiObject>,
  name: string,
  bytes: Buffer,
): void {
  formsOf(view, name).keep(stored, bytes);
}

import type { AdmissionAttributes } from "../../src/admission/chain/admission-attributes.js";
import type { AdmissionChain } from "../../src/admission/chain/admission-chain.js";
import type { ApiObject } from "../../src/apimachinery/objects/meta.js";
import type { ApiCatalog, ServedResource } from "../../src/endpoints/catalog/api-catalog.js";

export interface AdmissionCall {
  readonly phase: "mutate" | "validate";
  readonly attributes: AdmissionAttributes;
  /** A copy of the object as it was when the phase began, which later steps change. */
  readonly object: ApiObject | undefined;
}

/** Called in a phase before the plugins. */
export type AdmissionStep = (call: AdmissionCall) => Promise<void> | void;

/** Records the calls of the admission chain behind a catalog, and lets a test step in. */
export class AdmissionRecorder {
  /** Undefined when nobody looks. */
  #calls: AdmissionCall[] | undefined;
  #step: AdmissionStep | undefined;
  /** Offers stay the same as long as they are served, and so do their copies. */
  readonly #recorded = new WeakMap<ServedResource, ServedResource>();

  /** The calls during `work`, with `step` in front of the plugins. */
  async during(work: () => Promise<unknown>, step?: AdmissionStep): Promise<readonly AdmissionCall[]> {
    const calls: AdmissionCall[] = [];
    this.#calls = calls;
    this.#step = step;
    try {
      await work();
    } finally {
      this.#calls = undefined;
      this.#step = undefined;
    }
    return calls;
  }

  /** The same catalog with recorded admission. */
  record(catalog: ApiCatalog): ApiCatalog {
    return {
      groups: () => catalog.groups(),
      group: (name) => catalog.group(name),
      find: (group, version, resource) => {
        const served = catalog.find(group, version, resource);
        return served && this.#recording(served);
      },
    };
  }

  #recording(served: ServedResource): ServedResource {
    const { endpoint } = served;
    if (endpoint === undefined) return served;
    const known = this.#recorded.get(served);
    if (known !== undefined) return known;
    const made = { ...served, endpoint: { ...endpoint, admission: this.#chain(endpoint.admission) } };
    this.#recorded.set(served, made);
    return made;
  }

  #chain(chain: AdmissionChain): AdmissionChain {
    const called = async (phase: AdmissionCall["phase"], attributes: AdmissionAttributes): Promise<void> => {
      if (this.#calls !== undefined) {
        const call = { phase, attributes, object: attributes.object && structuredClone(attributes.object) };
        this.#calls.push(call);
        await this.#step?.(call);
      }
      await chain[phase](attributes);
    };
    return {
      mutate: (attributes) => called("mutate", attributes),
      validate: (attributes) => called("validate", attributes),
    };
  }
}

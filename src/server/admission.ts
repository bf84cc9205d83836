import { type AdmissionChain, createAdmissionChain } from "../admission/admission-chain.js";
import { namespaceLifecycle } from "../admission/plugins/namespace-lifecycle.js";
import type { Namespace } from "../apis/gen/core-v1.js";
import type { ControllerContext } from "../controllers/controller.js";
import type { Naming } from "../naming/naming.js";
import { isStatus } from "../registry/generic/storage-status.js";

/** The plugins in the order in which they run, each with what it looks up. */
export function createAdmission(context: ControllerContext, naming: Naming): AdmissionChain {
  type State = { readonly terminating: boolean; readonly deletionTimestamp: string | undefined };
  // Each write asks for its namespace, which hardly ever changes.
  const known = new WeakMap<object, State>();
  const namespaces = {
    async find(name: string, version: "cached" | "newest"): Promise<State | undefined> {
      try {
        const kind = version === "cached" ? "any" : "mostRecent";
        const stored = await context.registry("", "namespaces").get("", name, { kind });
        let state = known.get(stored);
        if (state === undefined) {
          const { metadata, status } = stored.decode() as Namespace; // the registry of namespaces holds nothing else
          state = {
            terminating: status?.phase === "Terminating",
            deletionTimestamp: metadata.deletionTimestamp,
          };
          known.set(stored, state);
        }
        return state;
      } catch (error) {
        if (isStatus(error, "NotFound")) return undefined;
        throw error;
      }
    },
  };
  return createAdmissionChain([
    namespaceLifecycle({
      namespaces,
      immortal: ["default", naming.systemNamespace, naming.publicNamespace],
      exempt: [`${naming.group("authorization")}/localsubjectaccessreviews`],
      now: () => Date.now(),
    }),
  ]);
}

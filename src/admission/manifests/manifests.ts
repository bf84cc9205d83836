import type { BuiltinObjects } from "../../apis/builtin-objects.js";

/** Objects in memory, from the API or from files. */
export interface Listed<V> {
  readonly size: number;
  values(): Iterable<V>;
}

/** The kinds that files may contain. */
export type ManifestKind =
  | "mutatingadmissionpolicies.admissionregistration"
  | "mutatingadmissionpolicybindings.admissionregistration"
  | "mutatingwebhookconfigurations.admissionregistration"
  | "validatingadmissionpolicies.admissionregistration"
  | "validatingadmissionpolicybindings.admissionregistration"
  | "validatingwebhookconfigurations.admissionregistration";

/** The plugins that take webhooks or policies from files. */
export type ManifestPlugin =
  | "MutatingAdmissionPolicy"
  | "MutatingAdmissionWebhook"
  | "ValidatingAdmissionPolicy"
  | "ValidatingAdmissionWebhook";

/** The webhooks or policies in the files of a plugin. They are in force before the first request, and follow the files. */
export interface Manifests {
  kind<R extends ManifestKind, V>(kind: R, view: (object: BuiltinObjects[R]) => V): Listed<V>;
}

export const noneListed: Listed<never> = { size: 0, values: () => [] };

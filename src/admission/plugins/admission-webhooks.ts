import { setMaxListeners } from "node:events";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { internal, StatusError } from "../../apimachinery/errors/status.js";
import { jsonEqual } from "../../apimachinery/json/json-values.js";
import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import { applyJsonPatch } from "../../apimachinery/patch/json-patch.js";
import type { Naming } from "../../naming/naming.js";
import { checkValues, parseBoundedJson } from "../../remote/bounded-json.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import type { ServedForm } from "../chain/object-forms.js";
import { type Listed, noneListed } from "../manifests/manifests.js";
import { matchingForm } from "../matching/match.js";
import { type AdmissionWebhook, webhooksOf } from "../webhooks/admission-webhook.js";
import { callWebhook, type Reviewed } from "../webhooks/call-webhook.js";
import { ReviewTexts } from "../webhooks/review-texts.js";
import type { WebhookParts, WebhookType } from "../webhooks/webhook-caller.js";
import type { PluginContext } from "./plugin-context.js";

const operations = ["CREATE", "UPDATE", "DELETE", "CONNECT"] as const;

/**
 * Lets webhooks change requests, one after the other in the order of their configurations' names. Source: Kubernetes documentation,
 * "Dynamic Admission Control".
 */
export function mutatingAdmissionWebhook(context: PluginContext): AdmissionPlugin {
  const configurations: Configurations = context.cluster.follow(
    "mutatingwebhookconfigurations.admissionregistration",
    { view: (stored) => webhooksOf(stored.decode()) },
  );
  const files: Configurations =
    context
      .manifests?.("MutatingAdmissionWebhook")
      ?.kind("mutatingwebhookconfigurations.admissionregistration", webhooksOf) ?? noneListed;
  return {
    operations,
    mutate(attributes) {
      const ofApi = concernsWebhooks(attributes, context.naming) ? noneListed : configurations;
      if (ofApi.size === 0 && files.size === 0 && !attributes.reinvocation.isReinvoke) return;
      return mutate(attributes, () => [...inOrder(files), ...inOrder(ofApi)], context);
    },
  };
}

/** Lets webhooks refuse requests; they are called in parallel. */
export function validatingAdmissionWebhook(context: PluginContext): AdmissionPlugin {
  const configurations: Configurations = context.cluster.follow(
    "validatingwebhookconfigurations.admissionregistration",
    { view: (stored) => webhooksOf(stored.decode()) },
  );
  const files: Configurations =
    context
      .manifests?.("ValidatingAdmissionWebhook")
      ?.kind("validatingwebhookconfigurations.admissionregistration", webhooksOf) ?? noneListed;
  return {
    operations,
    validate(attributes) {
      const ofApi = concernsWebhooks(attributes, context.naming) ? noneListed : configurations;
      if (ofApi.size === 0 && files.size === 0) return;
      return validate(attributes, [...inOrder(files), ...inOrder(ofApi)], context);
    },
  };
}

type Configurations = Listed<readonly AdmissionWebhook[]>;

/** A snapshot: configuration changes do not affect a request in progress. */
function inOrder(configurations: Configurations): readonly AdmissionWebhook[] {
  return [...configurations.values()]
    .filter((webhooks) => webhooks.length > 0)
    .sort(([a], [b]) => ((a?.configuration ?? "") < (b?.configuration ?? "") ? -1 : 1))
    .flat();
}

/** Webhooks of the API must not keep an administrator from repairing webhooks. */
function concernsWebhooks({ resource }: AdmissionAttributes, naming: Naming): boolean {
  return (
    (resource.resource === "mutatingwebhookconfigurations" ||
      resource.resource === "validatingwebhookconfigurations") &&
    resource.group === naming.group("admissionregistration")
  );
}

/** What the first pass leaves for the second. */
interface MutatingNote {
  /** Those of the first pass, so that a request never sees two versions of the configurations. */
  readonly webhooks: readonly AdmissionWebhook[];
  /** JSON of the object after the last webhook. */
  output: Buffer;
  readonly called: Set<string>;
  /** Webhooks to call again. */
  readonly again: Set<string>;
}

const noteName = "MutatingAdmissionWebhook";
const nothing = Buffer.alloc(0);

async function mutate(
  attributes: AdmissionAttributes,
  current: () => readonly AdmissionWebhook[],
  context: PluginContext,
): Promise<void> {
  const { reinvocation, kind } = attributes;
  // No other plugin leaves notes under this name.
  const note = (reinvocation.note(noteName) as MutatingNote | undefined) ?? {
    webhooks: current(),
    output: nothing,
    called: new Set<string>(),
    again: new Set<string>(),
  };
  reinvocation.setNote(noteName, note);
  const { isReinvoke } = reinvocation;
  const texts = new ReviewTexts(attributes);
  if (isReinvoke && note.called.size > 0 && !note.output.equals((await texts.object(kind)) ?? nothing)) {
    callAgain(note);
  }
  const auditKey = auditKeys("mutation", isReinvoke ? 1 : 0, context.naming);
  for (const [index, webhook] of note.webhooks.entries()) {
    if (isReinvoke && !note.again.has(webhook.key)) continue;
    // Most webhooks do not match most requests, so awaiting each would add up.
    const matching = matchingForm(webhook, attributes, context.namespaces);
    const form = matching instanceof Promise ? await matching : matching;
    if (form === undefined) continue;
    const met = conditionsAreMet(webhook, "admit", attributes, form, context);
    if (met !== true && !(await met)) continue;
    let isChanged = false;
    try {
      const reviewed = await callWebhook(
        { webhook, type: "admit", form, attributes, texts, failedOpenKey: auditKey("failed-open.", index) },
        context.webhooks.admit,
        context.naming,
      );
      if (reviewed !== undefined && reviewed.patch.length > 0) {
        isChanged = await applyPatch(webhook, attributes, reviewed, form.kind, context.webhooks.admit);
        if (attributes.write.auditsObjects) {
          const key = auditKeys("patch", isReinvoke ? 1 : 0, context.naming)("", index);
          annotate(webhook, attributes, key, { patch: reviewed.patch, patchType: "JSONPatch" });
        }
      }
    } finally {
      annotate(webhook, attributes, auditKey("", index), { mutated: isChanged });
    }
    if (isChanged) {
      texts.changed();
      callAgain(note);
      reinvocation.request();
    }
    if (webhook.isReinvoked) note.called.add(webhook.key);
  }
  // Only needed to decide whether webhooks must be called again.
  if (note.called.size > 0) note.output = (await texts.object(kind)) ?? nothing;
}

function callAgain({ called, again }: MutatingNote): void {
  for (const key of called) again.add(key);
  called.clear();
}

/** Whether the patch changes the object. Throws 500 when it cannot be applied. */
async function applyPatch(
  webhook: AdmissionWebhook,
  attributes: AdmissionAttributes,
  { request, patch }: Reviewed,
  kind: AdmissionAttributes["kind"],
  parts: Pick<WebhookParts, "failedClosed">,
): Promise<boolean> {
  const { object, forms, signal } = attributes;
  if (object === undefined || request.objectJson === undefined) {
    throw internal(
      `admission webhook ${JSON.stringify(webhook.name)} attempted to modify the object, which is not supported for this operation`,
    );
  }
  try {
    const document = await parseBoundedJson(request.objectJson, signal);
    const changed = applyJsonPatch(document, patch);
    checkValues(changed);
    if (jsonEqual(changed, document)) return false;
    await forms.replace(object, changed, kind, document);
    return true;
  } catch (error) {
    // In versions that a webhook converts to, objects are validated before the conversion.
    if (error instanceof StatusError && error.status.reason === "Invalid") throw error;
    if (!signal.aborted) parts.failedClosed(webhook, error);
    throw internal(messageOf(error));
  }
}

/** Keys of audit annotations of calls. Source: Kubernetes documentation, "Dynamic Admission Control", "Mutating webhook auditing annotations". */
function auditKeys(
  subject: "mutation" | "patch" | "validating",
  round: number,
  naming: Naming,
): (prefix: "" | "failed-open.", index: number) => string {
  return (prefix, index) =>
    `${prefix}${subject}.webhook.admission.${naming.groupDomain}/round_${round}_index_${index}`;
}

function annotate(
  { configuration, name }: AdmissionWebhook,
  attributes: AdmissionAttributes,
  key: string,
  what: object,
): void {
  attributes.addAnnotation(key, JSON.stringify({ configuration, webhook: name, ...what }));
}

/** A promise only when there are conditions. */
function conditionsAreMet(
  { name, conditions }: AdmissionWebhook,
  kind: WebhookType,
  attributes: AdmissionAttributes,
  form: ServedForm,
  context: PluginContext,
): MaybePromise<boolean> {
  const { operation } = attributes;
  return conditions?.areMet(attributes, form, context, { kind, name, operation }) ?? true;
}

async function validate(
  attributes: AdmissionAttributes,
  webhooks: readonly AdmissionWebhook[],
  context: PluginContext,
): Promise<void> {
  const matching: { readonly webhook: AdmissionWebhook; readonly form: ServedForm }[] = [];
  for (const webhook of webhooks) {
    const found = matchingForm(webhook, attributes, context.namespaces);
    const form = found instanceof Promise ? await found : found;
    if (form === undefined) continue;
    const met = conditionsAreMet(webhook, "validating", attributes, form, context);
    if (met !== true && !(await met)) continue;
    matching.push({ webhook, form });
  }
  if (matching.length === 0) return;
  setMaxListeners(0, attributes.signal); // each call listens
  const texts = new ReviewTexts(attributes);
  const auditKey = auditKeys("validating", 0, context.naming);
  const calls = matching.map(({ webhook, form }, index) =>
    callWebhook(
      {
        webhook,
        type: "validating",
        form,
        attributes,
        texts,
        failedOpenKey: auditKey("failed-open.", index),
      },
      context.webhooks.validating,
      context.naming,
    ),
  );
  // Waits for all answers before throwing the first refusal, so that no call is left running.
  for (const outcome of await Promise.allSettled(calls)) {
    if (outcome.status === "rejected") throw outcome.reason;
  }
}

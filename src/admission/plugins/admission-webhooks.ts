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
import { CallsAgain, type Reinvocation } from "../chain/reinvocation.js";
import { type Listed, type ManifestKind, type ManifestPlugin, noneListed } from "../manifests/manifests.js";
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
  const inForce = new WebhooksInForce(
    context,
    "MutatingAdmissionWebhook",
    "mutatingwebhookconfigurations.admissionregistration",
  );
  const notes = new WeakMap<Reinvocation, MutatingNote>();
  return {
    operations,
    mutate(attributes) {
      const { reinvocation } = attributes;
      let note = reinvocation.isReinvoke ? notes.get(reinvocation) : undefined;
      if (note === undefined) {
        const webhooks = inForce.over(attributes);
        if (webhooks.length === 0) return;
        note = { webhooks, output: nothing, callsAgain: new CallsAgain() };
        notes.set(reinvocation, note);
      }
      return mutate(attributes, note, context);
    },
  };
}

/** Lets webhooks refuse requests; they are called in parallel. */
export function validatingAdmissionWebhook(context: PluginContext): AdmissionPlugin {
  const inForce = new WebhooksInForce(
    context,
    "ValidatingAdmissionWebhook",
    "validatingwebhookconfigurations.admissionregistration",
  );
  return {
    operations,
    validate(attributes) {
      const webhooks = inForce.over(attributes);
      if (webhooks.length === 0) return;
      return validate(attributes, webhooks, context);
    },
  };
}

type Configurations = Listed<readonly AdmissionWebhook[]>;

/** The webhooks of one plugin, from the API and from files. */
class WebhooksInForce {
  readonly #ofApi: Configurations;
  readonly #ofFiles: Configurations;
  readonly #naming: Naming;

  constructor(
    { cluster, manifests, naming }: PluginContext,
    plugin: ManifestPlugin,
    resource: WebhookConfigurations,
  ) {
    this.#ofApi = cluster.follow(resource, { view: (stored) => webhooksOf(stored.decode()) });
    this.#ofFiles = manifests?.(plugin)?.kind(resource, webhooksOf) ?? noneListed;
    this.#naming = naming;
  }

  /** The webhooks that may apply to a request, those from files first. */
  over(attributes: AdmissionAttributes): readonly AdmissionWebhook[] {
    const ofApi = concernsWebhooks(attributes, this.#naming) ? noneListed : this.#ofApi;
    if (ofApi.size === 0 && this.#ofFiles.size === 0) return none;
    return [...inOrder(this.#ofFiles), ...inOrder(ofApi)];
  }
}

type WebhookConfigurations = Extract<ManifestKind, `${string}webhookconfigurations.admissionregistration`>;

const none: readonly AdmissionWebhook[] = [];

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

/** State that the first mutating pass leaves for the second. */
interface MutatingNote {
  /** The webhooks of the first pass, so that a request never sees two states of the configurations. */
  readonly webhooks: readonly AdmissionWebhook[];
  /** JSON of the object after the last webhook. */
  output: Buffer;
  readonly callsAgain: CallsAgain;
}

const nothing = Buffer.alloc(0);

async function mutate(
  attributes: AdmissionAttributes,
  note: MutatingNote,
  context: PluginContext,
): Promise<void> {
  const { reinvocation, kind } = attributes;
  const { callsAgain } = note;
  const { isReinvoke } = reinvocation;
  const texts = new ReviewTexts(attributes);
  if (isReinvoke && callsAgain.isWaiting && !note.output.equals((await texts.object(kind)) ?? nothing)) {
    callsAgain.objectChanged();
  }
  for (const [index, webhook] of note.webhooks.entries()) {
    if (isReinvoke && !callsAgain.has(webhook.key)) continue;
    // Most webhooks do not match most requests, so awaiting each would add up.
    const matching = matchingForm(webhook, attributes, context.namespaces);
    const form = matching instanceof Promise ? await matching : matching;
    if (form === undefined) continue;
    const met = conditionsAreMet(webhook, "admit", attributes, form, context);
    if (met !== true && !(await met)) continue;
    if (await callToMutate({ webhook, index, attributes, form, texts }, context)) {
      texts.changed();
      callsAgain.objectChanged();
      reinvocation.request();
    }
    if (webhook.isReinvoked) callsAgain.called(webhook.key);
  }
  // Only needed to decide whether webhooks must be called again.
  if (callsAgain.isWaiting) note.output = (await texts.object(kind)) ?? nothing;
}

interface MutatingCall {
  readonly webhook: AdmissionWebhook;
  /** Its place among the webhooks of the request. */
  readonly index: number;
  readonly attributes: AdmissionAttributes;
  readonly form: ServedForm;
  readonly texts: ReviewTexts;
}

/** Calls a webhook, applies its patch, and records both for the audit. Returns whether the object has changed. */
async function callToMutate(
  { webhook, index, attributes, form, texts }: MutatingCall,
  { naming, webhooks }: PluginContext,
): Promise<boolean> {
  const round = attributes.reinvocation.isReinvoke ? 1 : 0;
  const auditKey = auditKeys("mutation", round, naming);
  let isChanged = false;
  try {
    const call = { webhook, type: "admit", form, attributes, texts } as const;
    const failedOpenKey = auditKey("failed-open.", index);
    const reviewed = await callWebhook({ ...call, failedOpenKey }, webhooks.admit, naming);
    if (reviewed !== undefined && reviewed.patch.length > 0) {
      isChanged = await applyPatch(webhook, attributes, reviewed, form.kind, webhooks.admit);
      if (attributes.write.auditsObjects) {
        const key = auditKeys("patch", round, naming)("", index);
        const patch = reviewed.numbers.take(reviewed.patch).value;
        annotate(webhook, attributes, key, { patch, patchType: "JSONPatch" });
      }
    }
    return isChanged;
  } finally {
    annotate(webhook, attributes, auditKey("", index), { mutated: isChanged });
  }
}

/** Whether the patch changes the object. Throws 500 when it cannot be applied. */
async function applyPatch(
  webhook: AdmissionWebhook,
  attributes: AdmissionAttributes,
  { request, patch, numbers }: Reviewed,
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
    const { value: changed, numberTexts } = numbers.take(applyJsonPatch(document, patch));
    checkValues(changed);
    const isSame = jsonEqual(changed, document);
    if (isSame && numberTexts === undefined) return false;
    await forms.replace(object, changed, kind, document, { numberTexts });
    return !isSame;
  } catch (error) {
    // An object in a version that a webhook converts is validated before the conversion.
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

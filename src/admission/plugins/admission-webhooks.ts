import { parseJson } from "../../apimachinery/json-parse.js";
import { printJson } from "../../apimachinery/json-print.js";
import { applyJsonPatch, parseJsonPatch } from "../../apimachinery/patch/json-patch.js";
import { internal } from "../../apimachinery/status.js";
import type { Lister } from "../../informers/informer.js";
import type { Naming } from "../../naming/naming.js";
import type { AdmissionAttributes } from "../admission-attributes.js";
import type { AdmissionPlugin } from "../admission-plugin.js";
import type { PluginContext } from "../plugin-context.js";
import {
  type AdmissionWebhook,
  type WebhookConfiguration,
  webhooksOf,
} from "../webhooks/admission-webhook.js";
import { callWebhook, type Reviewed } from "../webhooks/call-webhook.js";
import { matchingForm } from "../webhooks/match.js";

const operations = ["CREATE", "UPDATE", "DELETE", "CONNECT"] as const;

/**
 * Lets webhooks change requests, one after the other in the order of their configurations' names. Source: Kubernetes
 * documentation, "Dynamic Admission Control".
 */
export function mutatingAdmissionWebhook(context: PluginContext): AdmissionPlugin {
  const configurations = follow(context, "mutatingwebhookconfigurations");
  return {
    operations,
    mutate(attributes) {
      if (configurations.size === 0 || concernsWebhooks(attributes, context.naming)) return;
      return mutate(attributes, inOrder(configurations), context);
    },
  };
}

/** Lets webhooks refuse requests; they are asked together. */
export function validatingAdmissionWebhook(context: PluginContext): AdmissionPlugin {
  const configurations = follow(context, "validatingwebhookconfigurations");
  return {
    operations,
    validate(attributes) {
      if (configurations.size === 0 || concernsWebhooks(attributes, context.naming)) return;
      return validate(attributes, inOrder(configurations), context);
    },
  };
}

type Configurations = Lister<readonly AdmissionWebhook[]>;

function follow({ cluster }: PluginContext, resource: string): Configurations {
  return cluster.follow(
    { group: "admissionregistration", resource },
    // The registry of the resource holds nothing else.
    { view: (stored) => webhooksOf(stored.decode() as WebhookConfiguration) },
  );
}

/** All of the moment: what a request meets does not change under it. */
function inOrder(configurations: Configurations): readonly AdmissionWebhook[] {
  return [...configurations.values()]
    .filter((webhooks) => webhooks.length > 0)
    .sort(([a], [b]) => ((a?.configuration ?? "") < (b?.configuration ?? "") ? -1 : 1))
    .flat();
}

/** No webhook can keep an administrator from mending webhooks. */
function concernsWebhooks({ resource }: AdmissionAttributes, naming: Naming): boolean {
  return (
    resource.group === naming.group("admissionregistration") &&
    (resource.resource === "mutatingwebhookconfigurations" ||
      resource.resource === "validatingwebhookconfigurations")
  );
}

/** What the first pass leaves for the second. */
interface MutatingNote {
  /** The object after the last webhook. */
  output: string;
  readonly called: Set<string>;
  /** To be called again. */
  readonly again: Set<string>;
}

const noteName = "MutatingAdmissionWebhook";

async function mutate(
  attributes: AdmissionAttributes,
  webhooks: readonly AdmissionWebhook[],
  context: PluginContext,
): Promise<void> {
  const { reinvocation } = attributes;
  // Nobody else leaves notes under this name.
  const note = (reinvocation.note(noteName) as MutatingNote | undefined) ?? {
    output: "",
    called: new Set<string>(),
    again: new Set<string>(),
  };
  reinvocation.setNote(noteName, note);
  const { isReinvoke } = reinvocation;
  if (isReinvoke && note.called.size > 0 && (await printed(attributes)) !== note.output) {
    callAgain(note);
  }
  for (const [index, webhook] of webhooks.entries()) {
    if (isReinvoke && !note.again.has(webhook.key)) continue;
    const form = await matchingForm(webhook, attributes, context.namespaces);
    if (form === undefined) continue;
    const reviewed = await callWebhook(
      webhook,
      form,
      attributes,
      "admit",
      context.webhooks.admit,
      context.naming,
    );
    if (reviewed === undefined) continue;
    const isChanged = await applyPatch(webhook, attributes, reviewed, form.kind);
    annotate(webhook, attributes, index, isChanged, context.naming);
    if (isChanged) {
      callAgain(note);
      reinvocation.request();
    }
    if (webhook.isReinvoked) note.called.add(webhook.key);
  }
  if (note.called.size > 0 || note.again.size > 0) note.output = await printed(attributes);
}

function callAgain({ called, again }: MutatingNote): void {
  for (const key of called) again.add(key);
  called.clear();
}

async function printed({ object, forms, kind }: AdmissionAttributes): Promise<string> {
  return object === undefined ? "" : await forms.print(object, kind);
}

/** Whether the object is another than before. Throws 500 for a patch that cannot be applied. */
async function applyPatch(
  webhook: AdmissionWebhook,
  attributes: AdmissionAttributes,
  { request, response }: Reviewed,
  kind: AdmissionAttributes["kind"],
): Promise<boolean> {
  const { object, forms } = attributes;
  if (response.patch === undefined) return false;
  const quoted = JSON.stringify(webhook.name);
  if (object === undefined || request.objectText === undefined) {
    throw internal(
      `admission webhook ${quoted} attempted to modify the object, which is not supported for this operation`,
    );
  }
  try {
    const operations = parseJsonPatch(parseJson(Buffer.from(response.patch)));
    if (operations.length === 0) return false;
    const document = parseJson(Buffer.from(request.objectText));
    const text = printJson(applyJsonPatch(document, operations));
    if (text === printJson(document)) return false;
    await forms.replace(object, text, kind);
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw internal(reason, error);
  }
}

/** Source: Kubernetes documentation, "Dynamic Admission Control", "Mutating webhook auditing annotations". */
function annotate(
  webhook: AdmissionWebhook,
  attributes: AdmissionAttributes,
  index: number,
  mutated: boolean,
  naming: Naming,
): void {
  const round = attributes.reinvocation.isReinvoke ? 1 : 0;
  attributes.addAnnotation(
    `mutation.webhook.admission.${naming.groupDomain}/round_${round}_index_${index}`,
    JSON.stringify({ configuration: webhook.configuration, webhook: webhook.name, mutated }),
  );
}

async function validate(
  attributes: AdmissionAttributes,
  webhooks: readonly AdmissionWebhook[],
  context: PluginContext,
): Promise<void> {
  const calls = webhooks.map(async (webhook) => {
    const form = await matchingForm(webhook, attributes, context.namespaces);
    if (form === undefined) return;
    await callWebhook(webhook, form, attributes, "validating", context.webhooks.validating, context.naming);
  });
  // All are heard before the first refusal is given: none is left running.
  for (const outcome of await Promise.allSettled(calls)) {
    if (outcome.status === "rejected") throw outcome.reason;
  }
}

import { messageOf } from "../../apimachinery/errors/message-of.js";
import { parseJson } from "../../apimachinery/json/json-parse.js";
import type { JsonValue } from "../../apimachinery/json/json-value.js";
import type { Codec, TypeMeta } from "../../apimachinery/schema/codec.js";
import type { ConversionCall, ConvertRemotely } from "../../apis/apiextensions/custom-resource/converter.js";
import type {
  ConversionReview,
  CustomResourceDefinition,
  WebhookClientConfig,
} from "../../apis/gen/apiextensions-v1.js";
import type { Naming } from "../../naming/naming.js";
import { RemoteClient } from "../../remote/remote-client.js";
import { type AnsweredReview, printedKind, reviewOfAnswer } from "../../remote/review-answer.js";
import { refusalText } from "../../remote/server-error-text.js";
import { traced } from "../../telemetry/span.js";
import { type WebhookDials, webhookServer } from "./webhook-server.js";

/** With Kubernetes' label values. Source: apiextensions-apiserver `pkg/apiserver/conversion/metrics.go`. */
export type ConversionFailureType =
  | "conversion_webhook_call_failure"
  | "conversion_webhook_malformed_response_failure"
  | "conversion_webhook_partial_response_failure"
  | "conversion_webhook_invalid_converted_object_failure";

/** Receives the calls for one definition. */
export interface ConversionObserver {
  /** `failure`: the kind of failure; undefined for a success. */
  converted(from: string, to: string, milliseconds: number, failure: ConversionFailureType | undefined): void;
  /** The definition was deleted. */
  drop(): void;
}

export interface ConversionWebhooksParts {
  readonly naming: Naming;
  /** The codec of v1; v1beta1 has the same fields. */
  readonly codec: Codec<ConversionReview>;
  readonly dials: WebhookDials;
  readonly uid: () => string;
  /** Called once for each definition with a webhook, by its name. */
  readonly observe: (definition: string) => ConversionObserver;
  /** Whether calls are separate steps of a trace. */
  readonly isTraced: boolean;
}

class MalformedResponse extends Error {}

/** Sends objects to a webhook and returns the converted ones. */
type Send = (call: ConversionCall) => Promise<readonly JsonValue[]>;

const timeoutMs = 30_000;
const answerBytesMax = 64 * 1024 * 1024;

/** The conversion webhooks of custom resource definitions. Connections are kept as long as a definition refers to the same webhook. */
export class ConversionWebhooks {
  readonly #parts: ConversionWebhooksParts;
  readonly #clients = new Map<string, { readonly text: string; readonly client: RemoteClient }>();
  readonly #observers = new Map<string, ConversionObserver>();

  constructor(parts: ConversionWebhooksParts) {
    this.#parts = parts;
  }

  /** Undefined for a definition whose versions only differ in their names. */
  of({ metadata, spec }: CustomResourceDefinition): ConvertRemotely | undefined {
    const { conversion } = spec;
    const config = conversion?.webhook?.clientConfig;
    if (conversion?.strategy !== "Webhook" || config === undefined) return undefined;
    const name = metadata.name ?? "";
    const version = conversion.webhook?.conversionReviewVersions?.find(
      (one) => one === "v1" || one === "v1beta1",
    );
    const send: Send = async ({ sources, desiredApiVersion, signal }) => {
      const uid = this.#parts.uid();
      const typeMeta = {
        kind: "ConversionReview",
        apiVersion: `${this.#parts.naming.group("apiextensions")}/${version ?? "v1"}`,
      };
      const answer = await this.#client(name, config).request({
        method: "POST",
        query: { timeout: `${timeoutMs / 1000}s` },
        headers: { "Content-Type": "application/json", Accept: "application/json" },
        body: reviewText(typeMeta, { uid, desiredApiVersion, sources }),
        timeoutMs,
        signal,
        answerBytesMax,
        idempotent: true,
      });
      if (answer.status < 200 || answer.status > 299) throw new Error(refusalText(answer));
      const reviewed = await reviewOfAnswer(answer, { typeMeta, codec: this.#parts.codec }, parseJson);
      try {
        return convertedObjects(reviewed, version === "v1beta1" ? undefined : { typeMeta, uid });
      } catch (error) {
        throw new MalformedResponse(messageOf(error), { cause: error });
      }
    };
    return this.#observed(name, send);
  }

  /** Drops the webhook of a deleted definition, after the calls in progress. */
  forget(name: string): void {
    void this.#clients.get(name)?.client.retire();
    this.#clients.delete(name);
    this.#observers.get(name)?.drop();
    this.#observers.delete(name);
  }

  async close(): Promise<void> {
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    await Promise.allSettled(clients.map(({ client }) => client.close()));
  }

  #observed(name: string, send: Send): ConvertRemotely {
    const observer = this.#observers.get(name) ?? this.#parts.observe(name);
    this.#observers.set(name, observer);
    return async (sent, read) => {
      const began = performance.now();
      let failure: ConversionFailureType | undefined = "conversion_webhook_call_failure";
      const call = () => send(sent);
      try {
        const converted = await (this.#parts.isTraced ? traced("Call conversion webhook", call) : call());
        const isWhole = converted.length === sent.sources.length;
        failure = isWhole
          ? "conversion_webhook_invalid_converted_object_failure"
          : "conversion_webhook_partial_response_failure";
        const result = read(converted);
        failure = undefined;
        return result;
      } catch (error) {
        if (error instanceof MalformedResponse) failure = "conversion_webhook_malformed_response_failure";
        throw error;
      } finally {
        observer.converted(sent.from, versionOf(sent.desiredApiVersion), performance.now() - began, failure);
      }
    };
  }

  #client(name: string, config: WebhookClientConfig): RemoteClient {
    const text = JSON.stringify(config);
    const kept = this.#clients.get(name);
    if (kept?.text === text) return kept.client;
    void kept?.client.retire();
    const client = new RemoteClient(webhookServer(config, this.#parts.dials));
    this.#clients.set(name, { text, client });
    return client;
  }
}

function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf("/") + 1);
}

/** The JSON of a review. The objects are encoded already, so that integers keep any size. */
function reviewText(
  { kind, apiVersion }: TypeMeta,
  {
    uid,
    desiredApiVersion,
    sources,
  }: Pick<ConversionCall, "sources" | "desiredApiVersion"> & { readonly uid: string },
): string {
  const request = JSON.stringify({ uid, desiredAPIVersion: desiredApiVersion });
  return (
    `{"kind":"${kind}","apiVersion":"${apiVersion}",` +
    `"request":${request.slice(0, -1)},"objects":[${sources.join(",")}]}}`
  );
}

/** `envelope`: the type that the answer must have, and the uid that it must repeat. Neither is checked for v1beta1, as in Kubernetes. */
function convertedObjects(
  { review: { response }, stated }: AnsweredReview<ConversionReview>,
  envelope: { readonly typeMeta: TypeMeta; readonly uid: string } | undefined,
): readonly JsonValue[] {
  if (envelope !== undefined && (stated.apiVersion === "" || stated.kind === "")) {
    throw new Error(
      `expected webhook response of ${printedKind(envelope.typeMeta)}, got ${printedKind(stated)}`,
    );
  }
  if (response === undefined) throw new Error("no response provided");
  if (envelope !== undefined && response.uid !== envelope.uid) {
    throw new Error(
      `expected response.uid=${JSON.stringify(envelope.uid)}, got ${JSON.stringify(response.uid)}`,
    );
  }
  const { status = "", message = "" } = response.result;
  if (status !== "Success") {
    throw new Error(message || `response.result.status was '${status}', not 'Success'`);
  }
  return response.convertedObjects ?? [];
}

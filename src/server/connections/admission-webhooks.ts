import type { PluginConfigurations } from "../../admission/configuration/admission-configuration.js";
import type { AdmissionPluginName } from "../../admission/plugin-table.js";
import type { ReviewRequest, ReviewVersion } from "../../admission/webhooks/admission-review.js";
import type { AdmissionWebhook } from "../../admission/webhooks/admission-webhook.js";
import type { WebhookCaller, WebhookType } from "../../admission/webhooks/webhook-caller.js";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { isJsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import type { Codec } from "../../apimachinery/schema/codec.js";
import type { AdmissionReview } from "../../apis/gen/admission-v1.js";
import { parseBoundedJson } from "../../remote/bounded-json.js";
import { ClientConfigFile, type ClientIdentity, noIdentity } from "../../remote/client-config.js";
import { Destination } from "../../remote/destination.js";
import { RemoteClient } from "../../remote/remote-client.js";
import { type AnsweredReview, reviewOfAnswer } from "../../remote/review-answer.js";
import { refusalText } from "../../remote/server-error-text.js";
import { type WebhookDials, webhookServer, webhookUrl } from "./webhook-server.js";

export interface AdmissionWebhookClientsParts {
  readonly codecOf: (version: ReviewVersion) => Codec<AdmissionReview>;
  readonly dials: WebhookDials;
  /** This server's certificate for webhooks without a configured user. */
  readonly certificate: ClientIdentity["certificate"];
  /** The `kubeConfigFile` of the plugins' configuration. Its users are named after the hosts of webhooks. */
  readonly clientConfigFile: string | undefined;
}

/** Maximum size of an answer, which is a review with a patch. */
const answerBytesMax = 6 * 1024 * 1024;
/** Maximum number of connection pools for different webhooks. Beyond it the least recently used one is closed. */
const clientsMax = 1000;

const headers = { "Content-Type": "application/json", Accept: "application/json, */*" };

/** Calls admission webhooks over pooled connections, one pool for each address and authority. */
class AdmissionWebhookClients implements WebhookCaller {
  readonly #parts: AdmissionWebhookClientsParts;
  /** In order of last use. */
  readonly #clients = new Map<string, Promise<RemoteClient>>();
  /** Configurations hold certificates, so printing one for each call would cost more than the lookup. */
  readonly #keys = new WeakMap<AdmissionWebhook["client"], string>();
  readonly #destinations = new WeakMap<AdmissionWebhook, Destination>();
  #users: Promise<ClientConfigFile> | undefined;

  constructor(parts: AdmissionWebhookClientsParts) {
    this.#parts = parts;
  }

  async call(
    webhook: AdmissionWebhook,
    { version, typeMeta, body }: ReviewRequest,
    signal: AbortSignal,
  ): Promise<AnsweredReview<AdmissionReview>> {
    try {
      const client = await this.#client(webhook);
      const answer = await client.request({
        method: "POST",
        destination: this.#destinationOf(webhook),
        headers,
        body,
        timeoutMs: webhook.timeoutMs,
        signal,
        answerBytesMax,
      });
      if (answer.status < 200 || answer.status > 299) throw new Error(refusalText(answer));
      const type = { typeMeta, codec: this.#parts.codecOf(version) };
      return await reviewOfAnswer(answer, type, (sent) => parseBoundedJson(sent, signal));
    } catch (error) {
      const reason = messageOf(error);
      throw new Error(`failed to call webhook: ${reason}`, { cause: error });
    }
  }

  async close(): Promise<void> {
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    await Promise.allSettled(clients.map(async (client) => (await client).close()));
  }

  #client({ client: config }: AdmissionWebhook): Promise<RemoteClient> {
    const key = this.#keyOf(config);
    let known = this.#clients.get(key);
    if (known === undefined) {
      known = this.#open(config);
      known.catch(() => this.#clients.delete(key));
    }
    this.#clients.delete(key);
    this.#clients.set(key, known);
    const [oldest] = this.#clients.keys();
    if (this.#clients.size > clientsMax && oldest !== undefined) {
      void this.#clients.get(oldest)?.then((client) => client.retire());
      this.#clients.delete(oldest);
    }
    return known;
  }

  #keyOf(config: AdmissionWebhook["client"]): string {
    let key = this.#keys.get(config);
    if (key === undefined) {
      key = JSON.stringify(config);
      this.#keys.set(config, key);
    }
    return key;
  }

  #destinationOf(webhook: AdmissionWebhook): Destination {
    let destination = this.#destinations.get(webhook);
    if (destination === undefined) {
      const query = { timeout: `${webhook.timeoutMs / 1000}s` };
      destination = new Destination(webhookUrl(webhook.client), { query });
      this.#destinations.set(webhook, destination);
    }
    return destination;
  }

  async #open(config: AdmissionWebhook["client"]): Promise<RemoteClient> {
    const { hostname, port } = webhookUrl(config);
    return new RemoteClient({
      ...webhookServer(config, this.#parts.dials),
      identity: await this.#identityFor(hostname, Number(port || 443)),
    });
  }

  /** The most specific name wins: host and port, the host, a domain with `*` before it, `*`. */
  async #identityFor(host: string, port: number): Promise<ClientIdentity> {
    const { clientConfigFile, certificate } = this.#parts;
    if (clientConfigFile !== undefined) {
      this.#users ??= ClientConfigFile.read(clientConfigFile);
      const file = await this.#users;
      const names = new Set(file.userNames);
      const labels = host.split(".");
      const wildcards = labels.map((_label, index) => `*.${labels.slice(index + 1).join(".")}`).slice(0, -1);
      const name = [`${host}:${port}`, host, ...wildcards, "*"].find((each) => names.has(each));
      if (name !== undefined) return await file.user(name);
    }
    return certificate === undefined ? noIdentity : { ...noIdentity, certificate };
  }
}

/** One for each of the two plugins, because each may have its own client identities. */
export function admissionWebhookClients(
  parts: Omit<AdmissionWebhookClientsParts, "clientConfigFile">,
  configurations: PluginConfigurations,
): Readonly<Record<WebhookType, AdmissionWebhookClients>> {
  const clientsOf = (plugin: AdmissionPluginName): AdmissionWebhookClients =>
    new AdmissionWebhookClients({
      ...parts,
      clientConfigFile: clientConfigFileOf(configurations.get(plugin)),
    });
  return {
    admit: clientsOf("MutatingAdmissionWebhook"),
    validating: clientsOf("ValidatingAdmissionWebhook"),
  };
}

/** The file that a plugin's configuration names; undefined when there is none. Throws an `Error` for a value of another type. */
export function clientConfigFileOf(configuration: JsonValue | undefined): string | undefined {
  if (configuration === undefined) return undefined;
  const file = isJsonObject(configuration) ? (configuration.kubeConfigFile ?? "") : undefined;
  if (typeof file !== "string") throw new Error("kubeConfigFile must be the path of a file");
  return file === "" ? undefined : file;
}

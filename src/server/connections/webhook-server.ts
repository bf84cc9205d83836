import type { WebhookClientConfig } from "../../apis/gen/admissionregistration-v1.js";
import type { Dial, RemoteClientOptions } from "../../remote/remote-client.js";
import type { ServiceDialer } from "./service-dialer.js";

/** How webhooks are reached. */
export interface WebhookDials {
  /** Calls webhooks that are named by their service. */
  readonly services: ServiceDialer;
  /** Connects to webhooks that are named by a URL; undefined connects directly. */
  readonly url: Dial | undefined;
  /** The user agent of calls to webhooks. */
  readonly userAgent: string;
}

export function webhookUrl({ url, service }: WebhookClientConfig): URL {
  if (service === undefined) return new URL(url ?? "");
  return new URL(`https://${hostOf(service)}:${service.port ?? 443}${service.path ?? "/"}`);
}

/** The address of a webhook, the name that its certificate must have, and how to connect. */
export function webhookServer(
  config: WebhookClientConfig,
  dials: WebhookDials,
): Pick<RemoteClientOptions, "server" | "dial" | "userAgent"> {
  const { service, caBundle = "" } = config;
  return {
    server: {
      url: webhookUrl(config),
      caPem: caBundle === "" ? undefined : Buffer.from(caBundle, "base64").toString("utf8"),
      serverName: service && hostOf(service),
      insecure: false,
    },
    userAgent: dials.userAgent,
    dial: service === undefined ? dials.url : dials.services.to(service.namespace, service.name),
  };
}

function hostOf({ name, namespace }: NonNullable<WebhookClientConfig["service"]>): string {
  return `${name}.${namespace}.svc`;
}

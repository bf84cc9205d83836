import type { TypeDescriptions } from "../../apimachinery/schema/type-descriptions.js";

/** How the server reaches a webhook, in admission and in conversion. */
export const webhookClientDescriptions: TypeDescriptions = {
  WebhookClientConfig: {
    about: "How a webhook is reached: by url or by service, one of which is set.",
    fields: {
      caBundle:
        "CA certificates, as PEM, that the webhook's certificate is checked with. Unset: those of the system.",
      service: "A service of the cluster; excludes url.",
      url: "The webhook's URL, https only and without user, query or fragment; excludes service.",
    },
  },
  ServiceReference: {
    about: "Names a service that answers for a webhook.",
    fields: {
      name: "Name of the service.",
      namespace: "Namespace of the service.",
      path: "Path of the URL that requests go to. Default: '/'.",
      port: "Port of the service that serves HTTPS, 1 to 65535. Default: 443.",
    },
  },
};

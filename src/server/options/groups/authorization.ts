import { notNegative } from "../checks.js";
import { optionGroup } from "../option.js";
import { choice, choices, duration, text } from "../value-types.js";

export const authorization = optionGroup("Authorization", {
  "authorization-mode": choices(["AlwaysAllow", "AlwaysDeny", "ABAC", "Webhook", "RBAC", "Node"], {
    itemName: "mode",
    default: ["AlwaysAllow"],
    help: "Authorizers, in the order in which they are consulted. Any of AlwaysAllow, AlwaysDeny, ABAC, Webhook, RBAC, Node.",
    check: (modes, flag) => {
      if (modes.length === 0) return `${flag}: at least one mode must be passed`;
      const twice = modes.find((mode, index) => modes.indexOf(mode) !== index);
      return twice && `${flag}: mode ${twice} specified more than once`;
    },
  }),
  "authorization-config": text({
    since: "1.29",
    help: "File with an AuthorizationConfiguration: the authorizers in the order in which they are consulted, which may include several webhooks. Reloaded when it changes. Cannot be combined with --authorization-mode or --authorization-webhook-* options. Needs the feature gate StructuredAuthorizationConfiguration.",
  }),
  "authorization-policy-file": text({
    help: "Policy file for the mode ABAC, with one JSON document per line.",
  }),
  "authorization-webhook-config-file": text({
    help: "Kubeconfig file for the webhook of the mode Webhook.",
  }),
  "authorization-webhook-version": choice(["v1beta1", "v1"], {
    default: "v1beta1",
    help: "API version of the SubjectAccessReview sent to the authorization webhook: v1beta1 or v1.",
  }),
  "authorization-webhook-cache-authorized-ttl": duration({
    default: "5m0s",
    help: "How long to cache responses of the authorization webhook that allow a request.",
    check: notNegative,
  }),
  "authorization-webhook-cache-unauthorized-ttl": duration({
    default: "30s",
    help: "How long to cache responses of the authorization webhook that do not allow a request.",
    check: notNegative,
  }),
});

import { notNegative } from "../checks.js";
import { optionGroup } from "../option.js";
import { choice, choices, duration, text } from "../value-types.js";

export const authorization = optionGroup("Authorization", {
  "authorization-mode": choices(["AlwaysAllow", "AlwaysDeny", "ABAC", "Webhook", "RBAC", "Node"], {
    itemName: "mode",
    default: ["AlwaysAllow"],
    help: "Authorizers, in the order in which they are asked: AlwaysAllow, AlwaysDeny, ABAC, Webhook, RBAC, Node.",
    check: (modes, flag) => {
      if (modes.length === 0) return `${flag}: at least one mode must be passed`;
      const twice = modes.find((mode, index) => modes.indexOf(mode) !== index);
      return twice && `${flag}: mode ${twice} specified more than once`;
    },
  }),
  "authorization-config": text({
    since: "1.29",
    help: "File with an AuthorizationConfiguration: the authorizers in the order in which they are asked, several webhooks among them. Read again when it changes. Not together with --authorization-mode or options of the authorization webhook. Needs the feature gate StructuredAuthorizationConfiguration.",
  }),
  "authorization-policy-file": text({
    help: "Policy file of mode ABAC, one JSON document a line.",
  }),
  "authorization-webhook-config-file": text({
    help: "Client configuration file of mode Webhook.",
  }),
  "authorization-webhook-version": choice(["v1beta1", "v1"], {
    default: "v1beta1",
    help: "Version of the SubjectAccessReview that the authorization webhook is sent.",
  }),
  "authorization-webhook-cache-authorized-ttl": duration({
    default: "5m0s",
    help: "How long the authorization webhook's allowing answers are kept.",
    check: notNegative,
  }),
  "authorization-webhook-cache-unauthorized-ttl": duration({
    default: "30s",
    help: "How long the authorization webhook's other answers are kept.",
    check: notNegative,
  }),
});

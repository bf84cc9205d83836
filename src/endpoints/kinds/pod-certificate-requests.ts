import { podCertificateHooks } from "../../registry/certificates/pod-certificate-signing.js";
import type { KindBehaviour } from "./kind-behaviour.js";

export const podCertificateRequests: KindBehaviour = {
  group: "certificates",
  resource: "podcertificaterequests",
  hooks: ({ authorizer, naming }) => podCertificateHooks(authorizer, naming.group("certificates")),
};

import type { TypeDescriptions } from "../apimachinery/schema/type-descriptions.js";
import { admissionregistrationV1Descriptions } from "./admissionregistration/v1/descriptions.js";
import { apiextensionsV1Descriptions } from "./apiextensions/v1/descriptions.js";
import { apiregistrationV1Descriptions } from "./apiregistration/v1/descriptions.js";
import { apiserverinternalV1alpha1Descriptions } from "./apiserverinternal/v1alpha1/descriptions.js";
import { appsV1Descriptions } from "./apps/v1/descriptions.js";
import { authenticationV1Descriptions } from "./authentication/v1/descriptions.js";
import { authorizationV1Descriptions } from "./authorization/v1/descriptions.js";
import { autoscalingV2Descriptions } from "./autoscaling/v2/descriptions.js";
import { autoscalingV2beta1Descriptions } from "./autoscaling/v2beta1/descriptions.js";
import { batchV1Descriptions } from "./batch/v1/descriptions.js";
import { batchV1beta1Descriptions } from "./batch/v1beta1/descriptions.js";
import { certificatesV1Descriptions } from "./certificates/v1/descriptions.js";
import { certificatesV1beta1Descriptions } from "./certificates/v1beta1/descriptions.js";
import { commonTypeDescriptions } from "./common-type-descriptions.js";
import { coordinationV1Descriptions } from "./coordination/v1/descriptions.js";
import { coordinationV1beta1Descriptions } from "./coordination/v1beta1/descriptions.js";
import { coreV1Descriptions } from "./core/v1/descriptions.js";
import { discoveryV1Descriptions } from "./discovery/v1/descriptions.js";
import { discoveryV1beta1Descriptions } from "./discovery/v1beta1/descriptions.js";
import { eventsV1Descriptions } from "./events/v1/descriptions.js";
import { flowcontrolV1Descriptions } from "./flowcontrol/v1/descriptions.js";
import { flowcontrolV1beta2Descriptions } from "./flowcontrol/v1beta2/descriptions.js";
import { networkingV1Descriptions } from "./networking/v1/descriptions.js";
import { nodeV1Descriptions } from "./node/v1/descriptions.js";
import { nodeV1alpha1Descriptions } from "./node/v1alpha1/descriptions.js";
import { policyV1Descriptions } from "./policy/v1/descriptions.js";
import { policyV1beta1Descriptions } from "./policy/v1beta1/descriptions.js";
import { rbacV1Descriptions } from "./rbac/v1/descriptions.js";
import { resourceV1Descriptions } from "./resource/v1/descriptions.js";
import { resourceV1alpha2Descriptions } from "./resource/v1alpha2/descriptions.js";
import { schedulingV1Descriptions } from "./scheduling/v1/descriptions.js";
import { schedulingV1alpha2Descriptions } from "./scheduling/v1alpha2/descriptions.js";
import { storageV1Descriptions } from "./storage/v1/descriptions.js";
import { storagemigrationV1beta1Descriptions } from "./storagemigration/v1beta1/descriptions.js";

/**
 * The descriptions of the types of each package, by its name. Only documents for people need them, so each is a module of its own, loaded
 * on demand. Packages without descriptions of their own share those of the version that they are declared from.
 */
export const typeDescriptions: Readonly<Record<string, TypeDescriptions>> = {
  ...commonTypeDescriptions,
  "admissionregistration/v1": admissionregistrationV1Descriptions,
  "admissionregistration/v1alpha1": admissionregistrationV1Descriptions,
  "admissionregistration/v1beta1": admissionregistrationV1Descriptions,
  "apiextensions/v1": apiextensionsV1Descriptions,
  "apiregistration/v1": apiregistrationV1Descriptions,
  "apiserverinternal/v1alpha1": apiserverinternalV1alpha1Descriptions,
  "apps/v1": appsV1Descriptions,
  "authentication/v1": authenticationV1Descriptions,
  "authentication/v1alpha1": authenticationV1Descriptions,
  "authentication/v1beta1": authenticationV1Descriptions,
  "authorization/v1": authorizationV1Descriptions,
  "authorization/v1beta1": authorizationV1Descriptions,
  "autoscaling/v2": autoscalingV2Descriptions,
  "autoscaling/v2beta1": autoscalingV2beta1Descriptions,
  "autoscaling/v2beta2": autoscalingV2Descriptions,
  "batch/v1": batchV1Descriptions,
  "batch/v1beta1": batchV1beta1Descriptions,
  "certificates/v1": certificatesV1Descriptions,
  "certificates/v1alpha1": certificatesV1beta1Descriptions,
  "certificates/v1beta1": certificatesV1beta1Descriptions,
  "coordination/v1": coordinationV1Descriptions,
  "coordination/v1alpha1": coordinationV1beta1Descriptions,
  "coordination/v1alpha2": coordinationV1beta1Descriptions,
  "coordination/v1beta1": coordinationV1beta1Descriptions,
  "core/v1": coreV1Descriptions,
  "discovery/v1": discoveryV1Descriptions,
  "discovery/v1beta1": discoveryV1beta1Descriptions,
  "events/v1": eventsV1Descriptions,
  "events/v1beta1": eventsV1Descriptions,
  "flowcontrol/v1": flowcontrolV1Descriptions,
  "flowcontrol/v1beta1": flowcontrolV1beta2Descriptions,
  "flowcontrol/v1beta2": flowcontrolV1beta2Descriptions,
  "flowcontrol/v1beta3": flowcontrolV1Descriptions,
  "networking/v1": networkingV1Descriptions,
  "networking/v1alpha1": networkingV1Descriptions,
  "networking/v1beta1": networkingV1Descriptions,
  "node/v1": nodeV1Descriptions,
  "node/v1alpha1": nodeV1alpha1Descriptions,
  "node/v1beta1": nodeV1Descriptions,
  "policy/v1": policyV1Descriptions,
  "policy/v1beta1": policyV1beta1Descriptions,
  "rbac/v1": rbacV1Descriptions,
  "resource/v1": resourceV1Descriptions,
  "resource/v1alpha1": resourceV1alpha2Descriptions,
  "resource/v1alpha2": resourceV1alpha2Descriptions,
  "resource/v1alpha3": resourceV1Descriptions,
  "resource/v1beta1": resourceV1Descriptions,
  "resource/v1beta2": resourceV1Descriptions,
  "scheduling/v1": schedulingV1Descriptions,
  "scheduling/v1alpha1": schedulingV1alpha2Descriptions,
  "scheduling/v1alpha2": schedulingV1alpha2Descriptions,
  "storage/v1": storageV1Descriptions,
  "storage/v1alpha1": storageV1Descriptions,
  "storage/v1beta1": storageV1Descriptions,
  "storagemigration/v1alpha1": storagemigrationV1beta1Descriptions,
  "storagemigration/v1beta1": storagemigrationV1beta1Descriptions,
};

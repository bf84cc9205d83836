import { metaV1Types } from "../apimachinery/meta-types/v1.js";
import { metaV1beta1Types } from "../apimachinery/meta-types/v1beta1.js";
import type { TypePackage } from "../apimachinery/schema/declaration.js";
import { admissionV1Types } from "./admission/v1/types.js";
import { admissionV1beta1Types } from "./admission/v1beta1/types.js";
import { admissionregistrationV1Types } from "./admissionregistration/v1/types.js";
import { admissionregistrationV1alpha1Types } from "./admissionregistration/v1alpha1/types.js";
import { admissionregistrationV1beta1Types } from "./admissionregistration/v1beta1/types.js";
import { apidiscoveryV2Types } from "./apidiscovery/v2/types.js";
import { apidiscoveryV2beta1Types } from "./apidiscovery/v2beta1/types.js";
import { apiextensionsV1Types } from "./apiextensions/v1/types.js";
import { apiregistrationV1Types } from "./apiregistration/v1/types.js";
import { apiserverinternalV1alpha1Types } from "./apiserverinternal/v1alpha1/types.js";
import { appsV1Types } from "./apps/v1/types.js";
import { auditV1Types } from "./audit/v1/types.js";
import { authenticationV1Types } from "./authentication/v1/types.js";
import { authenticationV1alpha1Types } from "./authentication/v1alpha1/types.js";
import { authenticationV1beta1Types } from "./authentication/v1beta1/types.js";
import { authorizationV1Types } from "./authorization/v1/types.js";
import { authorizationV1beta1Types } from "./authorization/v1beta1/types.js";
import { autoscalingV1Types } from "./autoscaling/v1/types.js";
import { autoscalingV2Types } from "./autoscaling/v2/types.js";
import { autoscalingV2beta1Types } from "./autoscaling/v2beta1/types.js";
import { autoscalingV2beta2Types } from "./autoscaling/v2beta2/types.js";
import { batchV1Types } from "./batch/v1/types.js";
import { batchV1beta1Types } from "./batch/v1beta1/types.js";
import { certificatesV1Types } from "./certificates/v1/types.js";
import { certificatesV1alpha1Types } from "./certificates/v1alpha1/types.js";
import { certificatesV1beta1Types } from "./certificates/v1beta1/types.js";
import { coordinationV1Types } from "./coordination/v1/types.js";
import { coordinationV1alpha1Types } from "./coordination/v1alpha1/types.js";
import { coordinationV1alpha2Types } from "./coordination/v1alpha2/types.js";
import { coordinationV1beta1Types } from "./coordination/v1beta1/types.js";
import { coreV1Types } from "./core/v1/types.js";
import { discoveryV1Types } from "./discovery/v1/types.js";
import { discoveryV1beta1Types } from "./discovery/v1beta1/types.js";
import { eventsV1Types } from "./events/v1/types.js";
import { eventsV1beta1Types } from "./events/v1beta1/types.js";
import { flowcontrolV1Types } from "./flowcontrol/v1/types.js";
import { flowcontrolV1beta1Types } from "./flowcontrol/v1beta1/types.js";
import { flowcontrolV1beta2Types } from "./flowcontrol/v1beta2/types.js";
import { flowcontrolV1beta3Types } from "./flowcontrol/v1beta3/types.js";
import { imagepolicyV1alpha1Types } from "./imagepolicy/v1alpha1/types.js";
import { networkingV1Types } from "./networking/v1/types.js";
import { networkingV1alpha1Types } from "./networking/v1alpha1/types.js";
import { networkingV1beta1Types } from "./networking/v1beta1/types.js";
import { nodeV1Types } from "./node/v1/types.js";
import { nodeV1alpha1Types } from "./node/v1alpha1/types.js";
import { nodeV1beta1Types } from "./node/v1beta1/types.js";
import { policyV1Types } from "./policy/v1/types.js";
import { policyV1beta1Types } from "./policy/v1beta1/types.js";
import { rbacV1Types } from "./rbac/v1/types.js";
import { resourceV1Types } from "./resource/v1/types.js";
import { resourceV1alpha1Types } from "./resource/v1alpha1/types.js";
import { resourceV1alpha2Types } from "./resource/v1alpha2/types.js";
import { resourceV1alpha3Types } from "./resource/v1alpha3/types.js";
import { resourceV1beta1Types } from "./resource/v1beta1/types.js";
import { resourceV1beta2Types } from "./resource/v1beta2/types.js";
import { schedulingV1Types } from "./scheduling/v1/types.js";
import { schedulingV1alpha1Types } from "./scheduling/v1alpha1/types.js";
import { schedulingV1alpha2Types } from "./scheduling/v1alpha2/types.js";
import { storageV1Types } from "./storage/v1/types.js";
import { storageV1alpha1Types } from "./storage/v1alpha1/types.js";
import { storageV1beta1Types } from "./storage/v1beta1/types.js";
import { storagemigrationV1alpha1Types } from "./storagemigration/v1alpha1/types.js";
import { storagemigrationV1beta1Types } from "./storagemigration/v1beta1/types.js";

/** The types of every built-in group and version. */
export const typePackages: readonly TypePackage[] = [
  admissionV1Types,
  admissionV1beta1Types,
  admissionregistrationV1Types,
  admissionregistrationV1alpha1Types,
  admissionregistrationV1beta1Types,
  apidiscoveryV2Types,
  apidiscoveryV2beta1Types,
  apiextensionsV1Types,
  apiregistrationV1Types,
  apiserverinternalV1alpha1Types,
  appsV1Types,
  auditV1Types,
  authenticationV1Types,
  authenticationV1alpha1Types,
  authenticationV1beta1Types,
  authorizationV1Types,
  authorizationV1beta1Types,
  autoscalingV1Types,
  autoscalingV2Types,
  autoscalingV2beta1Types,
  autoscalingV2beta2Types,
  batchV1Types,
  batchV1beta1Types,
  certificatesV1Types,
  certificatesV1alpha1Types,
  certificatesV1beta1Types,
  coordinationV1Types,
  coordinationV1alpha1Types,
  coordinationV1alpha2Types,
  coordinationV1beta1Types,
  coreV1Types,
  discoveryV1Types,
  discoveryV1beta1Types,
  eventsV1Types,
  eventsV1beta1Types,
  flowcontrolV1Types,
  flowcontrolV1beta1Types,
  flowcontrolV1beta2Types,
  flowcontrolV1beta3Types,
  imagepolicyV1alpha1Types,
  metaV1Types,
  metaV1beta1Types,
  networkingV1Types,
  networkingV1alpha1Types,
  networkingV1beta1Types,
  nodeV1Types,
  nodeV1alpha1Types,
  nodeV1beta1Types,
  policyV1Types,
  policyV1beta1Types,
  rbacV1Types,
  resourceV1Types,
  resourceV1alpha1Types,
  resourceV1alpha2Types,
  resourceV1beta1Types,
  resourceV1beta2Types,
  schedulingV1Types,
  schedulingV1alpha1Types,
  schedulingV1alpha2Types,
  storageV1Types,
  storageV1alpha1Types,
  storageV1beta1Types,
  storagemigrationV1alpha1Types,
  storagemigrationV1beta1Types,
  resourceV1alpha3Types,
];

import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from "./gen/admissionregistration-v1.js";
import type { CustomResourceDefinition } from "./gen/apiextensions-v1.js";
import type { APIService } from "./gen/apiregistration-v1.js";
import type { StorageVersion } from "./gen/apiserverinternal-v1alpha1.js";
import type { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet } from "./gen/apps-v1.js";
import type { HorizontalPodAutoscaler } from "./gen/autoscaling-v2.js";
import type { CronJob, Job } from "./gen/batch-v1.js";
import type { CertificateSigningRequest } from "./gen/certificates-v1.js";
import type { ClusterTrustBundle, PodCertificateRequest } from "./gen/certificates-v1beta1.js";
import type { Lease } from "./gen/coordination-v1.js";
import type { LeaseCandidate } from "./gen/coordination-v1beta1.js";
import type {
  ConfigMap,
  Endpoints,
  Event,
  LimitRange,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ReplicationController,
  ResourceQuota,
  Secret,
  Service,
  ServiceAccount,
} from "./gen/core-v1.js";
import type { EndpointSlice } from "./gen/discovery-v1.js";
import type { FlowSchema, PriorityLevelConfiguration } from "./gen/flowcontrol-v1.js";
import type { Ingress, IngressClass, IPAddress, ServiceCIDR } from "./gen/networking-v1.js";
import type { RuntimeClass } from "./gen/node-v1.js";
import type { PodDisruptionBudget } from "./gen/policy-v1.js";
import type { PodSecurityPolicy } from "./gen/policy-v1beta1.js";
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from "./gen/rbac-v1.js";
import type { DeviceClass, ResourceClaim } from "./gen/resource-v1.js";
import type { PriorityClass } from "./gen/scheduling-v1.js";
import type { PodGroup, Workload } from "./gen/scheduling-v1alpha2.js";
import type { CSIDriver, StorageClass, VolumeAttachment, VolumeAttributesClass } from "./gen/storage-v1.js";
import type { AnyResourceSlice } from "./resource/classic/slice-node.js";
import type { Migration } from "./storagemigration/storage-version-migration/migration.js";

/**
 * The objects of the built-in resources that the server itself works with, in their hub version: by resource and, beyond the core, the
 * stem of its group.
 */
export interface BuiltinObjects {
  configmaps: ConfigMap;
  endpoints: Endpoints;
  events: Event;
  limitranges: LimitRange;
  namespaces: Namespace;
  nodes: Node;
  persistentvolumeclaims: PersistentVolumeClaim;
  persistentvolumes: PersistentVolume;
  pods: Pod;
  replicationcontrollers: ReplicationController;
  resourcequotas: ResourceQuota;
  secrets: Secret;
  serviceaccounts: ServiceAccount;
  services: Service;
  "apiservices.apiregistration": APIService;
  "certificatesigningrequests.certificates": CertificateSigningRequest;
  "clusterrolebindings.rbac.authorization": ClusterRoleBinding;
  "clusterroles.rbac.authorization": ClusterRole;
  "clustertrustbundles.certificates": ClusterTrustBundle;
  "controllerrevisions.apps": ControllerRevision;
  "cronjobs.batch": CronJob;
  "csidrivers.storage": CSIDriver;
  "customresourcedefinitions.apiextensions": CustomResourceDefinition;
  "daemonsets.apps": DaemonSet;
  "deployments.apps": Deployment;
  "deviceclasses.resource": DeviceClass;
  "endpointslices.discovery": EndpointSlice;
  "flowschemas.flowcontrol.apiserver": FlowSchema;
  "horizontalpodautoscalers.autoscaling": HorizontalPodAutoscaler;
  "ingressclasses.networking": IngressClass;
  "ingresses.networking": Ingress;
  "ipaddresses.networking": IPAddress;
  "jobs.batch": Job;
  "leasecandidates.coordination": LeaseCandidate;
  "leases.coordination": Lease;
  "mutatingadmissionpolicies.admissionregistration": MutatingAdmissionPolicy;
  "mutatingadmissionpolicybindings.admissionregistration": MutatingAdmissionPolicyBinding;
  "mutatingwebhookconfigurations.admissionregistration": MutatingWebhookConfiguration;
  "poddisruptionbudgets.policy": PodDisruptionBudget;
  "podgroups.scheduling": PodGroup;
  "podsecuritypolicies.policy": PodSecurityPolicy;
  "priorityclasses.scheduling": PriorityClass;
  "prioritylevelconfigurations.flowcontrol.apiserver": PriorityLevelConfiguration;
  "replicasets.apps": ReplicaSet;
  "podcertificaterequests.certificates": PodCertificateRequest;
  /** Since 1.31; earlier claims have other fields. */
  "resourceclaims.resource": ResourceClaim;
  "resourceslices.resource": AnyResourceSlice;
  "rolebindings.rbac.authorization": RoleBinding;
  "roles.rbac.authorization": Role;
  "runtimeclasses.node": RuntimeClass;
  "servicecidrs.networking": ServiceCIDR;
  "statefulsets.apps": StatefulSet;
  "storageclasses.storage": StorageClass;
  "storageversionmigrations.storagemigration": Migration;
  "storageversions.internal.apiserver": StorageVersion;
  "validatingadmissionpolicies.admissionregistration": ValidatingAdmissionPolicy;
  "validatingadmissionpolicybindings.admissionregistration": ValidatingAdmissionPolicyBinding;
  "validatingwebhookconfigurations.admissionregistration": ValidatingWebhookConfiguration;
  "volumeattachments.storage": VolumeAttachment;
  "volumeattributesclasses.storage": VolumeAttributesClass;
  "workloads.scheduling": Workload;
}

export type BuiltinResource = keyof BuiltinObjects;

/** A resource, and its group's name in the profile. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** `groupOf` returns a group's name for its stem. */
export function builtinResourceName(name: BuiltinResource, groupOf: (stem: string) => string): GroupResource {
  const dot = name.indexOf(".");
  if (dot < 0) return { group: "", resource: name };
  return { group: groupOf(name.slice(dot + 1)), resource: name.slice(0, dot) };
}

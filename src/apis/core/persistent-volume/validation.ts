import { posix } from "node:path";
import { append } from "../../../apimachinery/collections/append.js";
import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { printPointer, printStruct } from "../../../apimachinery/errors/printed-structs.js";
import type { PrintedValue } from "../../../apimachinery/errors/printed-value.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { immutableMessage } from "../../../apimachinery/validation/values.js";
import type { Naming } from "../../../naming/naming.js";
import { validateNodeSelector } from "../../checks/node-selector.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  NodeSelectorRequirement,
  PersistentVolume,
  PersistentVolumeSpec,
  VolumeNodeAffinity,
} from "../../gen/core-v1.js";
import { type ChangeContext, printChange } from "../pod-spec/difference.js";
import { printNodeSelectorTerms, printResourceList } from "../pod-spec/printed-values.js";
import { coreV1Types } from "../v1/types.js";
import { validateAccessModes } from "./access-modes.js";
import { validateBasicAmount, validatePositiveAmount } from "./amounts.js";
import { type AttributesClassRules, validateAttributesClassUpdate } from "./attributes-class.js";
import { pickVolumeSource, sourceChecks, volumeSourceNames } from "./volume-sources.js";

export interface PersistentVolumeRules {
  readonly naming: Naming;
  readonly level: ApiLevel;
  readonly allowOncePod: boolean;
  /** Default: not enabled. */
  readonly attributesClass?: AttributesClassRules | undefined;
  /** How the node affinity may change: freely, only from deprecated labels to their successors, or not at all. Default: not at all. */
  readonly affinity?: "mutable" | "labels" | "immutable" | undefined;
  /** Whether node selector values must be valid label values. Default: no. */
  readonly checksNodeValues?: boolean | undefined;
}

const specRules = fieldRules<PersistentVolumeSpec>(coreV1Types, "PersistentVolumeSpec");
const nodeAffinityRules = fieldRules<VolumeNodeAffinity>(coreV1Types, "VolumeNodeAffinity");

/** The volume types that support mount options. */
const mountOptionSources = [
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "glusterfs",
  "nfs",
  "rbd",
  "quobyte",
  "iscsi",
  "cinder",
  "cephfs",
  "azureFile",
  "vsphereVolume",
  "azureDisk",
  "photonPersistentDisk",
] as const;

export function validatePersistentVolume(
  object: PersistentVolume,
  rules: PersistentVolumeRules,
): FieldError[] {
  return [
    ...validatePersistentVolumeSpec(object.spec, object.metadata.name ?? "", rules, FieldPath.of("spec")),
    ...mountOptionErrors(object, rules.naming),
  ];
}

export function validatePersistentVolumeUpdate(
  object: PersistentVolume,
  old: PersistentVolume,
  rules: PersistentVolumeRules,
  context: ChangeContext,
): FieldError[] {
  // Kubernetes validates an updated object twice and reports every error twice.
  const errors = [...validatePersistentVolume(object, rules), ...validatePersistentVolume(object, rules)];
  const source = pickVolumeSource(object.spec);
  const oldSource = pickVolumeSource(old.spec);
  // A missing reference may be added.
  if (source.csi !== undefined && oldSource.csi !== undefined) {
    if (oldSource.csi.controllerExpandSecretRef === undefined) {
      source.csi = { ...source.csi, controllerExpandSecretRef: undefined };
    }
  }
  if (!isDeepEqual(source, oldSource)) {
    const change = printChange(context, "core/v1.PersistentVolumeSource", oldSource, source);
    const why = `spec.persistentvolumesource is immutable after creation\n${change}`;
    errors.push(forbidden(FieldPath.of("spec", "persistentvolumesource"), why));
  }
  append(errors, specRules.unchanged(object.spec, old.spec, FieldPath.root, "volumeMode"));
  if (old.spec.nodeAffinity !== undefined && rules.affinity !== "mutable") {
    const { nodeAffinity } = object.spec;
    const before =
      rules.affinity === "labels"
        ? withNewLabels(old.spec.nodeAffinity, nodeAffinity, rules.naming)
        : old.spec.nodeAffinity;
    const path = FieldPath.of("nodeAffinity");
    if (rules.affinity !== "labels") {
      append(errors, specRules.unchangedValue("nodeAffinity", nodeAffinity, before, path, printAffinity));
    } else if (!isDeepEqual(nodeAffinity, before)) {
      const why = `${immutableMessage}, except for updating from beta label to GA`;
      errors.push(invalid(path, printAffinity(nodeAffinity), why));
    }
  }
  append(
    errors,
    validateAttributesClassUpdate(object.spec, old.spec, refuseAbsentClass, rules.attributesClass),
  );
  return errors;
}

function printAffinity(affinity: VolumeNodeAffinity | undefined): PrintedValue | undefined {
  if (affinity === undefined) return undefined;
  const terms = printNodeSelectorTerms(affinity.required?.nodeSelectorTerms);
  const selector = affinity.required && printStruct("core.NodeSelector", { NodeSelectorTerms: terms });
  const required = printPointer("core.NodeSelector", selector);
  return printStruct("core.VolumeNodeAffinity", { Required: required });
}

/** The old affinity, with the deprecated labels that the new affinity replaces by their successors. */
function withNewLabels(
  old: VolumeNodeAffinity,
  affinity: VolumeNodeAffinity | undefined,
  { domain }: Naming,
): VolumeNodeAffinity {
  const renamed = new Map([
    [`failure-domain.beta.${domain}/zone`, `topology.${domain}/zone`],
    [`failure-domain.beta.${domain}/region`, `topology.${domain}/region`],
    [`beta.${domain}/os`, `${domain}/os`],
    [`beta.${domain}/arch`, `${domain}/arch`],
    [`beta.${domain}/instance-type`, `node.${domain}/instance-type`],
  ]);
  if (old.required === undefined) return old;
  const newTerms = affinity?.required?.nodeSelectorTerms;
  const withKeys = (
    before: readonly NodeSelectorRequirement[] | undefined,
    after: readonly NodeSelectorRequirement[] | undefined,
  ): NodeSelectorRequirement[] | undefined =>
    before?.map((requirement, index) => {
      const now = after?.[index]?.key;
      // As in Kubernetes, any other label may become the empty key.
      return now !== undefined && (renamed.get(requirement.key) ?? "") === now
        ? { ...requirement, key: now }
        : requirement;
    });
  const terms = old.required.nodeSelectorTerms?.map((term, index) => ({
    ...term,
    matchExpressions: withKeys(term.matchExpressions, newTerms?.[index]?.matchExpressions),
    matchFields: withKeys(term.matchFields, newTerms?.[index]?.matchFields),
  }));
  return { ...old, required: { ...old.required, nodeSelectorTerms: terms } };
}

/** Also validates inline volumes of attachments. `name` is that of the volume. */
export function validatePersistentVolumeSpec(
  spec: PersistentVolumeSpec,
  name: string,
  rules: PersistentVolumeRules,
  path: FieldPath,
): FieldError[] {
  const { accessModes = [] } = spec;
  const policy = spec.persistentVolumeReclaimPolicy ?? "";
  const errors: FieldError[] = [];
  if (accessModes.length === 0) append(errors, specRules.check(spec, path, "accessModes"));
  append(errors, validateAccessModes(accessModes, rules.allowOncePod, path.child("accessModes")));
  append(errors, specRules.check(spec, path, "capacity"));
  append(errors, capacityErrors(spec, path.child("capacity")));
  const policyPath = path.child("persistentVolumeReclaimPolicy");
  append(errors, specRules.check(spec, path, "persistentVolumeReclaimPolicy"));
  append(errors, affinityErrors(spec, path.child("nodeAffinity"), rules));
  append(errors, sourceErrors(spec, name, rules, path));
  if (spec.hostPath !== undefined && posix.normalize(spec.hostPath.path) === "/" && policy === "Recycle") {
    errors.push(forbidden(policyPath, "may not be 'recycle' for a hostPath mount of '/'"));
  }
  append(errors, specRules.check(spec, path, "storageClassName", "volumeMode"));
  const attributesClass = spec.volumeAttributesClassName;
  if (attributesClass === undefined || rules.attributesClass?.isChecked !== true) return errors;
  append(errors, specRules.check(spec, path, "volumeAttributesClassName"));
  if (spec.csi !== undefined) return errors;
  return [...errors, required(path.child("csi"), "has to be specified when using volumeAttributesClassName")];
}

/** A volume's class may become empty, but not absent. */
function refuseAbsentClass(after: "" | undefined): string | undefined {
  return after === undefined ? "update from non-nil value to nil is forbidden" : undefined;
}

function capacityErrors({ capacity = {} }: PersistentVolumeSpec, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const names = Object.keys(capacity);
  if (capacity.storage === undefined || names.length > 1) {
    errors.push(notSupported(path, printResourceList(capacity), ["storage"]));
  }
  for (const [name, amount] of Object.entries(capacity)) {
    append(errors, [
      ...validateBasicAmount(amount, path.key(name)),
      ...validatePositiveAmount(amount, path.key(name)),
    ]);
  }
  return errors;
}

function affinityErrors(
  { nodeAffinity }: PersistentVolumeSpec,
  path: FieldPath,
  { checksNodeValues = false }: PersistentVolumeRules,
): FieldError[] {
  if (nodeAffinity === undefined) return [];
  if (nodeAffinity.required === undefined) return nodeAffinityRules.check(nodeAffinity, path, "required");
  return validateNodeSelector(nodeAffinity.required, path.child("required"), {
    anyValues: !checksNodeValues,
  });
}

/** If there are several sources, only the first is validated. */
function sourceErrors(
  spec: PersistentVolumeSpec,
  name: string,
  { naming, level }: PersistentVolumeRules,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  let isSourceFound = false;
  for (const source of volumeSourceNames) {
    if (spec[source] === undefined) continue;
    // Kubernetes does not count flex volumes as an additional source.
    if (isSourceFound && source !== "flexVolume") {
      const shown = source === "cephfs" ? "cephFS" : source;
      errors.push(forbidden(path.child(shown), "may not specify more than 1 volume type"));
      continue;
    }
    isSourceFound = true;
    // The path is Kubernetes'.
    const sourcePath = path.child(source === "gcePersistentDisk" ? "persistentDisk" : source);
    append(errors, sourceChecks({ naming, level, volumeName: name })[source](spec, sourcePath));
    if (source === "local" && spec.nodeAffinity === undefined) {
      errors.push(required(path.child("nodeAffinity"), "Local volume requires node affinity"));
    }
  }
  if (!isSourceFound) errors.push(required(path, "must specify a volume type"));
  return errors;
}

function mountOptionErrors(object: PersistentVolume, { domain }: Naming): FieldError[] {
  const annotation = `volume.beta.${domain}/mount-options`;
  if (mountOptionSources.some((source) => object.spec[source] !== undefined)) return [];
  if (object.metadata.annotations?.[annotation] === undefined) return [];
  const path = FieldPath.of("metadata", "annotations", annotation);
  return [forbidden(path, "may not specify mount options for this volume type")];
}

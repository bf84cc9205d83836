import type { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { type IpWarningWords, ipWarnings } from "../../../apimachinery/validation/ip-fields.js";
import { repeated } from "../../../apimachinery/validation/repeated.js";
import { Quantity } from "../../../apimachinery/values/quantity.js";
import type { Naming } from "../../../naming/naming.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { EnvVar, PodSpec, SeccompProfile } from "../../gen/core-v1.js";
import { type AnyContainer, placedContainers } from "./containers.js";
import { nodeLabelWarnings, noSelectorMessage } from "./node-label-warnings.js";
import { overlappingPathWarnings } from "./overlapping-paths.js";
import {
  appArmorAnnotationPrefix,
  seccompContainerAnnotation,
  seccompPodAnnotation,
} from "./pod-annotations.js";
import type { PodLike } from "./pod-validation-rules.js";
import { portNameWarnings, portWarnings } from "./port-warnings.js";
import type { ResourceList } from "./resource-list.js";
import { volumeTypeWarnings } from "./volume-type-warnings.js";

function seccompMessage(level: ApiLevel): string {
  if (isAtLeast(level, "1.27")) return 'non-functional in v1.27+; use the "seccompProfile" field instead';
  const end = isAtLeast(level, "1.25") ? "v1.27+" : "v1.25+";
  return `deprecated since v1.19, non-functional in ${end}; use the "seccompProfile" field instead`;
}

/** Warnings for a pod, or a template at `path` (empty for a pod): deprecated fields, and valid ones that are surely mistakes. */
export function podTemplateWarnings(
  { naming, level }: ApiContext,
  path: FieldPath,
  template: PodLike | undefined,
): string[] {
  if (template === undefined) return [];
  const { spec } = template;
  const isTemplate = path.toString() !== "";
  const specPath = path.child("spec");
  const annotationsPath = path.child("metadata", "annotations");
  return [
    ...nodeLabelWarnings(spec, specPath, { naming, level }),
    ...annotationWarnings(template, annotationsPath, naming),
    ...volumeTypeWarnings(spec, specPath.child("volumes"), level),
    ...(isAtLeast(level, "1.32") ? overlappingPathWarnings(spec) : []),
    ...duplicateWarnings(spec, specPath, level),
    ...fractionWarnings({ overhead: spec.overhead }, specPath),
    ...seccompWarnings(
      template,
      { annotation: seccompPodAnnotation(naming), profile: spec.securityContext?.seccompProfile },
      annotationsPath,
      level,
    ),
    ...placedContainers(spec, specPath).flatMap(({ container, path: at }) => [
      ...seccompWarnings(
        template,
        {
          annotation: seccompContainerAnnotation(naming, container.name),
          profile: container.securityContext?.seccompProfile,
        },
        annotationsPath,
        level,
      ),
      // A pod's warnings are made where its annotations become fields.
      ...(!isTemplate ? [] : appArmorWarnings(template, container, { path: annotationsPath, naming, level })),
      ...fractionWarnings(
        { limits: container.resources.limits, requests: container.resources.requests },
        at.child("resources"),
      ),
      ...(isAtLeast(level, "1.28")
        ? hiddenVariableWarnings(container.env ?? [], at.child("env"), level)
        : nameWarnings(container.env ?? [], at.child("env"))),
    ]),
    ...(isAtLeast(level, "1.28") ? portWarnings(spec, specPath) : []),
    ...(isAtLeast(level, "1.33") ? portNameWarnings(spec, specPath) : []),
    ...(isAtLeast(level, "1.27") && Number(spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [
          `${specPath.child("terminationGracePeriodSeconds")}: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : []),
    ...(isAtLeast(level, "1.28") ? affinityWarnings(spec, specPath) : []),
    ...(isAtLeast(level, "1.33") ? addressWarnings(spec, specPath, { naming, level }) : []),
  ];
}

function addressWarnings(
  { dnsConfig, hostAliases = [] }: PodSpec,
  path: FieldPath,
  words: IpWarningWords,
): string[] {
  const nameservers = path.child("dnsConfig", "nameservers");
  const aliases = path.child("hostAliases");
  return [
    ...(dnsConfig?.nameservers ?? []).flatMap((ip, index) => ipWarnings(nameservers.index(index), ip, words)),
    ...hostAliases.flatMap(({ ip = "" }, index) => ipWarnings(aliases.index(index).child("ip"), ip, words)),
  ];
}

export function appArmorAnnotationWarning(path: FieldPath): string {
  return `${path}: deprecated since v1.30; use the "appArmorProfile" field instead`;
}

function appArmorWarnings(
  { metadata, spec }: PodLike,
  { name, securityContext }: AnyContainer,
  { path, naming, level }: { readonly path: FieldPath; readonly naming: Naming; readonly level: ApiLevel },
): string[] {
  if (!isAtLeast(level, "1.30") || metadata.annotations === undefined) return [];
  const hasField = (spec.securityContext?.appArmorProfile ?? securityContext?.appArmorProfile) !== undefined;
  const key = `${appArmorAnnotationPrefix(naming)}${name}`;
  return hasField || metadata.annotations[key] === undefined
    ? []
    : [appArmorAnnotationWarning(path.key(key))];
}

/** A repeated variable is intended only if it refers to the earlier one. */
function hiddenVariableWarnings(variables: readonly EnvVar[], path: FieldPath, level: ApiLevel): string[] {
  const why = isAtLeast(level, "1.30") ? ", which may be dropped when using apply" : "";
  return repeated(variables.map(({ name }) => name)).flatMap(([index, name]) => {
    const { value = "", valueFrom } = variables[index] ?? { name };
    const reference = `$(${name})`;
    if (valueFrom === undefined && value !== reference && value.includes(reference)) return [];
    return [`${path.index(index)}: hides previous definition of ${quoted(name)}${why}`];
  });
}

function affinityWarnings(spec: PodSpec, path: FieldPath): string[] {
  const message = noSelectorMessage;
  const warnings: string[] = [];
  for (const kind of ["podAffinity", "podAntiAffinity"] as const) {
    const affinity = spec.affinity?.[kind];
    const hard = "requiredDuringSchedulingIgnoredDuringExecution";
    const soft = "preferredDuringSchedulingIgnoredDuringExecution";
    const at = path.child("affinity", kind);
    for (const [index, { labelSelector }] of (affinity?.[hard] ?? []).entries()) {
      if (labelSelector === undefined)
        warnings.push(`${at.child(hard).index(index).child("labelSelector")}: ${message}`);
    }
    for (const [index, { podAffinityTerm }] of (affinity?.[soft] ?? []).entries()) {
      if (podAffinityTerm.labelSelector !== undefined) continue;
      warnings.push(`${at.child(soft).index(index).child("podAffinityTerm", "labelSelector")}: ${message}`);
    }
  }
  return warnings;
}

function annotationWarnings({ metadata }: PodLike, path: FieldPath, { domain }: Naming): string[] {
  const sysctls = 'non-functional in v1.11+; use the "sysctls" field instead';
  if (metadata.annotations === undefined) return [];
  const deprecated: readonly [key: string, message: string][] = [
    [
      `scheduler.alpha.${domain}/critical-pod`,
      'non-functional in v1.16+; use the "priorityClassName" field instead',
    ],
    [`security.alpha.${domain}/sysctls`, sysctls],
    [`security.alpha.${domain}/unsafe-sysctls`, sysctls],
  ];
  return deprecated
    .filter(([key]) => metadata.annotations?.[key] !== undefined)
    .map(([key, message]) => `${path.key(key)}: ${message}`);
}

function duplicateWarnings(spec: PodSpec, path: FieldPath, level: ApiLevel): string[] {
  const secrets = spec.imagePullSecrets ?? [];
  const secretsPath = path.child("imagePullSecrets");
  return [
    ...repeated((spec.hostAliases ?? []).map(({ ip = "" }) => ip)).map(
      ([index, ip]) => `${path.child("hostAliases").index(index).child("ip")}: duplicate ip ${quoted(ip)}`,
    ),
    ...nameWarnings(secrets, secretsPath),
    ...secrets.flatMap(({ name = "" }, index) =>
      name === "" ? [`${secretsPath.index(index).child("name")}: invalid empty name ""`] : [],
    ),
    // An error in pods; not checked in the templates of stateful sets.
    ...(isAtLeast(level, "1.28") ? [] : nameWarnings(spec.volumes ?? [], path.child("volumes"))),
  ];
}

/** Volumes after another one of the same name. */
function nameWarnings(items: readonly { readonly name?: string | undefined }[], path: FieldPath): string[] {
  return repeated(items.map(({ name = "" }) => name)).map(
    ([index, name]) => `${path.index(index).child("name")}: duplicate name ${quoted(name)}`,
  );
}

/** `path` is that of the object with the lists. */
function fractionWarnings(
  lists: { readonly [field: string]: ResourceList | undefined },
  path: FieldPath,
): string[] {
  return ["memory", "ephemeral-storage"].flatMap((name) =>
    Object.entries(lists).flatMap(([field, list]) => fractionWarning(name, list?.[name], path.child(field))),
  );
}

/** Matches nearly all quantities, which saves the arithmetic. */
const plainlyWhole = /^\d+(?:[KMGTPE]i|[kMGTPE])?$/;

function fractionWarning(name: string, text: string | undefined, path: FieldPath): string[] {
  if (text === undefined || plainlyWhole.test(text) || Quantity.parse(text).roundedTo(-3).isWhole())
    return [];
  return [`${path.key(name)}: fractional byte value ${quoted(text)} is invalid, must be an integer`];
}

/** An annotation without a corresponding field. */
function seccompWarnings(
  { metadata }: PodLike,
  { annotation, profile }: { readonly annotation: string; readonly profile: SeccompProfile | undefined },
  path: FieldPath,
  level: ApiLevel,
): string[] {
  if (profile !== undefined || metadata.annotations?.[annotation] === undefined) return [];
  return [`${path.key(annotation)}: ${seccompMessage(level)}`];
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

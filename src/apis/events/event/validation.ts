import { append } from "../../../apimachinery/collections/append.js";
import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import { type FieldError, FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import { printStruct, printTime } from "../../../apimachinery/errors/printed-structs.js";
import type { PrintedValue } from "../../../apimachinery/errors/printed-value.js";
import { isDns1123Subdomain } from "../../../apimachinery/validation/dns-names.js";
import { byteLength } from "../../../apimachinery/validation/messages.js";
import {
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "../../../apimachinery/validation/object-meta.js";
import { nameIsDnsSubdomain } from "../../../apimachinery/validation/object-name.js";
import { isQualifiedName } from "../../../apimachinery/validation/qualified-name.js";
import { coreV1Types } from "../../core/v1/types.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { Event, EventSeries, EventSource, ObjectReference } from "../../gen/core-v1.js";

const eventRules = fieldRules<Event>(coreV1Types, "Event");
const seriesRules = fieldRules<EventSeries>(coreV1Types, "EventSeries");

const metadataPath = FieldPath.of("metadata");
const metadataRules = { namespaced: true, validateName: nameIsDnsSubdomain, standardFinalizers: [] };
const wordBytesMax = 128;
const messageBytesMax = 1024;

export interface EventRules {
  /** Where events about cluster-scoped objects may be, besides `default`. */
  readonly systemNamespace: string;
  /** What errors call `reportingComponent`. */
  readonly controllerField: string;
}

/** Rules for events of every version. Paths are those of the core group's form. */
export function validateEvent(event: Event, rules: EventRules): FieldError[] {
  const { namespace = "" } = event.metadata;
  const about = event.involvedObject.namespace ?? "";
  const errors: FieldError[] = [];
  if (!isNamespaceRight(event, namespace, about, rules)) {
    errors.push(
      invalid(FieldPath.of("involvedObject", "namespace"), about, "does not match event.namespace"),
    );
  }
  // Events of the new form have an eventTime.
  if (event.eventTime !== undefined) append(errors, validateNewKind(event, rules));
  for (const problem of isDns1123Subdomain(namespace)) {
    errors.push(invalid(FieldPath.of("namespace"), namespace, problem));
  }
  return errors;
}

function isNamespaceRight(event: Event, namespace: string, about: string, rules: EventRules): boolean {
  if (event.eventTime === undefined) {
    return about === "" ? namespace === "" || namespace === "default" : namespace === about;
  }
  return about !== "" || namespace === "default" || namespace === rules.systemNamespace;
}

function validateNewKind(event: Event, { controllerField }: EventRules): FieldError[] {
  const controller = FieldPath.of(controllerField);
  const errors = eventRules.checkValue("reportingComponent", event.reportingComponent, controller);
  for (const problem of isQualifiedName(event.reportingComponent)) {
    errors.push(invalid(controller, event.reportingComponent, problem));
  }
  for (const field of ["reportingInstance", "action", "reason"] as const) {
    append(errors, eventRules.check(event, FieldPath.root, field));
    append(errors, lengthErrors(event[field] ?? "", wordBytesMax, FieldPath.of(field)));
  }
  return [...errors, ...lengthErrors(event.message ?? "", messageBytesMax, FieldPath.of("message"))];
}

function lengthErrors(text: string, bytesMax: number, path: FieldPath): FieldError[] {
  return byteLength(text) > bytesMax ? [invalid(path, "", `can have at most ${bytesMax} characters`)] : [];
}

/** Additional rules for new events. */
export function validateStrictEvent(event: Event): FieldError[] {
  const errors: FieldError[] = [];
  append(errors, validateObjectMeta(event.metadata, metadataRules, metadataPath));
  append(errors, validateSeries(event));
  append(errors, eventRules.check(event, FieldPath.root, "eventTime"));
  const { type = "" } = event;
  if (type !== "Normal" && type !== "Warning") {
    errors.push(invalid(FieldPath.of("type"), "", `has invalid value: ${type}`));
  }
  for (const field of ["firstTimestamp", "lastTimestamp", "count"] as const) {
    if (event[field] !== undefined) errors.push(invalid(FieldPath.of(field), "", "needs to be unset"));
  }
  if ((event.source.component ?? "") !== "" || (event.source.host ?? "") !== "") {
    errors.push(invalid(FieldPath.of("source"), "", "needs to be unset"));
  }
  return errors;
}

type Print = (event: Event) => unknown;

/** Fields, their names in errors, and how their values are printed. */
const immutableFields: readonly (readonly [keyof Event, string, Print])[] = [
  ["involvedObject", "involvedObject", ({ involvedObject }) => printReference(involvedObject)],
  ["reason", "reason", ({ reason = "" }) => reason],
  ["message", "message", ({ message = "" }) => message],
  ["source", "source", ({ source }) => printSource(source)],
  ["firstTimestamp", "firstTimestamp", ({ firstTimestamp }) => printTime(firstTimestamp)],
  ["lastTimestamp", "lastTimestamp", ({ lastTimestamp }) => printTime(lastTimestamp)],
  ["count", "count", ({ count = 0 }) => count],
  // Kubernetes checks the reason twice.
  ["reason", "reason", ({ reason = "" }) => reason],
  ["type", "type", ({ type = "" }) => type],
  ["eventTime", "eventTime", ({ eventTime }) => printTime(eventTime)],
  ["action", "action", ({ action = "" }) => action],
  ["related", "related", ({ related }) => related && printReference(related)],
  ["reportingComponent", "reportingController", ({ reportingComponent }) => reportingComponent],
  ["reportingInstance", "reportingInstance", ({ reportingInstance }) => reportingInstance],
];

/** Of the fields that are an event's own, only the series may change. */
export function validateStrictEventUpdate(event: Event, old: Event): FieldError[] {
  return [
    ...validateObjectMetaUpdate(event.metadata, old.metadata, metadataPath, metadataRules.standardFinalizers),
    ...(isDeepEqual(event.series, old.series) ? [] : validateSeries(event)),
    ...immutableFields.flatMap(([field, named, print]) =>
      eventRules.unchangedValue(field, event[field], old[field], FieldPath.of(named), () => print(event)),
    ),
  ];
}

function printReference(reference: ObjectReference): PrintedValue {
  const { kind = "", namespace = "", name = "", uid = "" } = reference;
  const { apiVersion = "", resourceVersion = "", fieldPath = "" } = reference;
  return printStruct("core.ObjectReference", {
    Kind: kind,
    Namespace: namespace,
    Name: name,
    UID: uid,
    APIVersion: apiVersion,
    ResourceVersion: resourceVersion,
    FieldPath: fieldPath,
  });
}

function printSource({ component = "", host = "" }: EventSource): PrintedValue {
  return printStruct("core.EventSource", { Component: component, Host: host });
}

function validateSeries({ series }: Event): FieldError[] {
  if (series === undefined) return [];
  const errors: FieldError[] = [];
  if ((series.count ?? 0) < 2) {
    errors.push(invalid(FieldPath.of("series", "count"), "", "should be at least 2"));
  }
  return [...errors, ...seriesRules.check(series, FieldPath.of("series"), "lastObservedTime")];
}

import { append } from "../../../apimachinery/collections/append.js";
import { type FieldError, FieldPath, invalid, required } from "../../../apimachinery/errors/field-error.js";
import { isValidPortNum } from "../../../apimachinery/validation/numbers.js";
import { type NameValidator, nameIsPathSegment } from "../../../apimachinery/validation/object-name.js";
import type { Naming } from "../../../naming/naming.js";
import { fieldRules } from "../../definition/field-rules.js";
import type {
  APIService,
  APIServiceCondition,
  APIServiceSpec,
  APIServiceStatus,
  ServiceReference,
} from "../../gen/apiregistration-v1.js";
import { apiregistrationV1Types } from "../v1/types.js";

const serviceRules = fieldRules<ServiceReference>(apiregistrationV1Types, "ServiceReference");

const specRules = fieldRules<APIServiceSpec>(apiregistrationV1Types, "APIServiceSpec");
const conditionRules = fieldRules<APIServiceCondition>(apiregistrationV1Types, "APIServiceCondition");

/** Nothing can be generated: `generateName` has to be the whole name, too. */
export function apiServiceNames({ spec: { group = "", version = "" } }: APIService): NameValidator {
  const expected = `${version}.${group}`;
  return (name, prefix) => {
    const problems = nameIsPathSegment(name, prefix);
    if (problems.length > 0 || name === expected) return problems;
    return [`must be \`spec.version+"."+spec.group\`: ${JSON.stringify(expected)}`];
  };
}

/** The name does not change in an update, but what it follows from may. */
export function apiServiceNameErrors(object: APIService): FieldError[] {
  const problemsOf = apiServiceNames(object);
  return (["generateName", "name"] as const).flatMap((field) => {
    const name = object.metadata[field] ?? "";
    if (name === "") return [];
    const path = FieldPath.of("metadata", field);
    return problemsOf(name, field === "generateName").map((problem) => invalid(path, name, problem));
  });
}

export function validateApiService({ spec }: APIService, naming: Naming): FieldError[] {
  const { group = "", version = "", caBundle = "", insecureSkipTLSVerify = false } = spec;
  const path = FieldPath.of("spec");
  const errors: FieldError[] = [];
  if (group === "" && version !== "v1") {
    const why = `only v1 may have an empty group and it better be legacy ${naming.prefix}`;
    errors.push(required(path.child("group"), why));
  }
  append(errors, specRules.check(spec, path, "group", "version", "groupPriorityMinimum", "versionPriority"));
  const skipPath = path.child("insecureSkipTLSVerify");
  if (spec.service === undefined) {
    if (caBundle !== "") {
      const size = `${Buffer.byteLength(caBundle, "base64")} bytes`;
      errors.push(invalid(path.child("caBundle"), size, "local APIServices may not have a caBundle"));
    }
    if (insecureSkipTLSVerify) {
      errors.push(invalid(skipPath, true, "local APIServices may not have insecureSkipTLSVerify"));
    }
    return errors;
  }
  append(errors, validateService(spec.service, path.child("service")));
  if (insecureSkipTLSVerify && caBundle !== "") {
    errors.push(invalid(skipPath, true, "may not be true if caBundle is present"));
  }
  return errors;
}

export function validateApiServiceStatus(status: APIServiceStatus): FieldError[] {
  const path = FieldPath.of("status", "conditions");
  return (status.conditions ?? []).flatMap((condition, index) =>
    conditionRules.check(condition, path.index(index), "status"),
  );
}

function validateService(service: ServiceReference, path: FieldPath): FieldError[] {
  const { port = 0 } = service;
  const errors = serviceRules.check(service, path, "namespace", "name");
  const problems = isValidPortNum(port);
  if (problems.length > 0) {
    errors.push(invalid(path.child("port"), port, `port is not valid: ${problems.join(", ")}`));
  }
  return errors;
}

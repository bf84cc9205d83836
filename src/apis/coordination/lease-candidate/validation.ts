import { append } from "../../../apimachinery/collections/append.js";
import { type FieldError, FieldPath, invalid, required } from "../../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { LeaseCandidate, LeaseCandidateSpec } from "../../gen/coordination-v1beta1.js";
import { oldestEmulationVersion, validateLeaseStrategy } from "../lease-strategy.js";
import { coordinationV1beta1Types } from "../v1beta1/types.js";
import { compareSemver, parseSemver, type SemanticVersion } from "./semantic-version.js";

const rules = fieldRules<LeaseCandidateSpec>(coordinationV1beta1Types, "LeaseCandidateSpec");

const path = FieldPath.of("spec");
const zeroVersion: SemanticVersion = { numbers: [0n, 0n, 0n], prerelease: [] };
const isNoVersion = "must be a valid semantic version";

/** Before 1.32 a candidate names its strategies in a list, which may be empty. */
export function validateLeaseCandidate({ spec }: LeaseCandidate, level: ApiLevel): FieldError[] {
  const hasList = !isAtLeast(level, "1.32");
  const { binaryVersion, emulationVersion = "", strategy = "" } = spec;
  const [binaryPath, emulationPath] = [path.child("binaryVersion"), path.child("emulationVersion")];
  const [binary, emulation] = [parseSemver(binaryVersion), parseSemver(emulationVersion)];
  const errors = rules.check(spec, path, "leaseName");
  if (emulationVersion !== "" && emulation === undefined) {
    errors.push(invalid(emulationPath, emulationVersion, isNoVersion));
  }
  if (!hasList) append(errors, rules.check(spec, path, "binaryVersion"));
  if (binaryVersion !== "" && binary === undefined)
    errors.push(invalid(binaryPath, binaryVersion, isNoVersion));
  // Text that is no version counts as the lowest one.
  const isOlder = compareSemver(binary ?? zeroVersion, emulation ?? zeroVersion) < 0;
  const isCompared = binaryVersion !== "" && !(hasList && emulationVersion === "");
  if (isCompared && isOlder) {
    const why = "must be greater than or equal to `emulationVersion`";
    errors.push(invalid(binaryPath, binaryVersion, why));
  }
  if (strategy === "") return hasList ? errors : [...errors, ...rules.check(spec, path, "strategy")];
  if (strategy === oldestEmulationVersion) {
    const why = `must be specified when \`strategy\` is '${oldestEmulationVersion}'`;
    if (hasList && isZero(binary)) errors.push(required(binaryPath, why));
    if (isZero(emulation)) errors.push(required(emulationPath, why));
  }
  const strategyPath = hasList ? path.child("preferredStrategies").index(0) : path.child("strategy");
  return [...errors, ...validateLeaseStrategy(strategy, strategyPath)];
}

function isZero(version: SemanticVersion = zeroVersion): boolean {
  return compareSemver(version, zeroVersion) === 0;
}

export function validateLeaseCandidateUpdate(
  object: LeaseCandidate,
  old: LeaseCandidate,
  level: ApiLevel,
): FieldError[] {
  return [
    ...validateLeaseCandidate(object, level),
    ...rules.unchanged(object.spec, old.spec, path, "leaseName"),
  ];
}

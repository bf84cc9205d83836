import { append } from "../../../apimachinery/collections/append.js";
import { type FieldError, FieldPath, invalid, required } from "../../../apimachinery/errors/field-error.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { LeaseCandidate, LeaseCandidateSpec } from "../../gen/coordination-v1beta1.js";
import { oldestEmulationVersion, validateLeaseStrategy } from "../lease-strategy.js";
import { coordinationV1beta1Types } from "../v1beta1/types.js";
import { compareSemver, parseSemver, type SemanticVersion } from "./semantic-version.js";

const rules = fieldRules<LeaseCandidateSpec>(coordinationV1beta1Types, "LeaseCandidateSpec");

const path = FieldPath.of("spec");
const zeroVersion: SemanticVersion = { numbers: [0n, 0n, 0n], prerelease: [] };
const isNoVersion = "must be a valid semantic version";

export function validateLeaseCandidate({ spec }: LeaseCandidate): FieldError[] {
  const { binaryVersion, emulationVersion = "", strategy = "" } = spec;
  const [binaryPath, emulationPath] = [path.child("binaryVersion"), path.child("emulationVersion")];
  const [binary, emulation] = [parseSemver(binaryVersion), parseSemver(emulationVersion)];
  const errors = rules.check(spec, path, "leaseName");
  if (emulationVersion !== "" && emulation === undefined) {
    errors.push(invalid(emulationPath, emulationVersion, isNoVersion));
  }
  append(errors, rules.check(spec, path, "binaryVersion"));
  if (binaryVersion !== "" && binary === undefined)
    errors.push(invalid(binaryPath, binaryVersion, isNoVersion));
  // Text that is no version counts as the lowest one.
  const isOlder = compareSemver(binary ?? zeroVersion, emulation ?? zeroVersion) < 0;
  if (binaryVersion !== "" && isOlder) {
    const why = "must be greater than or equal to `emulationVersion`";
    errors.push(invalid(binaryPath, binaryVersion, why));
  }
  if (strategy === "") return [...errors, ...rules.check(spec, path, "strategy")];
  if (strategy === oldestEmulationVersion && compareSemver(emulation ?? zeroVersion, zeroVersion) === 0) {
    const why = `must be specified when \`strategy\` is '${oldestEmulationVersion}'`;
    errors.push(required(emulationPath, why));
  }
  return [...errors, ...validateLeaseStrategy(strategy, path.child("strategy"))];
}

export function validateLeaseCandidateUpdate(object: LeaseCandidate, old: LeaseCandidate): FieldError[] {
  return [...validateLeaseCandidate(object), ...rules.unchanged(object.spec, old.spec, path, "leaseName")];
}

import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
} from "../../../apimachinery/errors/field-error.js";
import { byteLength } from "../../../apimachinery/validation/messages.js";
import { problemsAt } from "../../checks/value-checks.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { PodSpec, WindowsSecurityContextOptions } from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";
import { placedContainers } from "./containers.js";
import type { PodValidationOptions } from "./pod-validation-rules.js";

const rules = fieldRules<WindowsSecurityContextOptions>(coreV1Types, "WindowsSecurityContextOptions");

const credentialSpecKibMax = 64;
/** Limit of the domain's length, exclusive. */
const domainLengthLimit = 256;
const userLengthMax = 104;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controlCharacters = /[\u0000-\u001f\u007f]/;
const netBiosName = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const dnsLabel = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const dnsName = new RegExp(`^${dnsLabel}(?:\\.${dnsLabel})*$`);
const userCharactersRefused = /["/\\:;|=,+*?<>@[\]]/;

export function validateWindowsOptions(
  options: WindowsSecurityContextOptions | undefined,
  path: FieldPath,
): FieldError[] {
  if (options === undefined) return [];
  const errors = rules.check(options, path, "gmsaCredentialSpecName");
  const { gmsaCredentialSpec, runAsUserName } = options;
  if (gmsaCredentialSpec !== undefined) {
    const problems = credentialSpecProblems(gmsaCredentialSpec);
    append(errors, problemsAt(path.child("gmsaCredentialSpec"), gmsaCredentialSpec, problems));
  }
  if (runAsUserName !== undefined) {
    append(errors, problemsAt(path.child("runAsUserName"), runAsUserName, userNameProblems(runAsUserName)));
  }
  return errors;
}

function credentialSpecProblems(spec: string): string[] {
  if (spec === "") return ["gmsaCredentialSpec cannot be an empty string"];
  if (byteLength(spec) <= credentialSpecKibMax * 1024) return [];
  return [`gmsaCredentialSpec size must be under ${credentialSpecKibMax} KiB`];
}

/** `DOMAIN\USER` or `USER`. */
function userNameProblems(name: string): string[] {
  if (name === "") return ["runAsUserName cannot be an empty string"];
  if (controlCharacters.test(name)) return ["runAsUserName cannot contain control characters"];
  const parts = name.split("\\", 3);
  if (parts.length > 2) return ["runAsUserName cannot contain more than one backslash"];
  const domain = parts.length === 2 ? parts[0] : undefined;
  const user = parts.at(-1) ?? "";
  const problems: string[] = [];
  if (domain !== undefined) {
    if (byteLength(domain) >= domainLengthLimit) {
      problems.push(`runAsUserName's Domain length must be under ${domainLengthLimit} characters`);
    }
    if (!netBiosName.test(domain) && !dnsName.test(domain)) {
      problems.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
    }
  }
  if (user === "") problems.push("runAsUserName's User cannot be empty");
  else if (byteLength(user) > userLengthMax) {
    problems.push(`runAsUserName's User length must not be longer than ${userLengthMax} characters`);
  }
  if (/^[. ]+$/.test(user)) problems.push("runAsUserName's User cannot contain only periods or spaces");
  if (userCharactersRefused.test(user)) {
    problems.push("runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]");
  }
  return problems;
}

/** Either all containers of a pod are host processes or none. */
export function validateHostProcess(
  spec: PodSpec,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  const disabled = "not allowed when feature gate 'WindowsHostProcessContainers' is not enabled";
  const field = ["securityContext", "windowsOptions", "hostProcess"] as const;
  if (!options.allowWindowsHostProcess && ofPod !== undefined) {
    return [forbidden(path.child(...field), disabled)];
  }
  const containers = placedContainers(spec, path);
  let count = 0;
  for (const { container, path: at } of containers) {
    const ofContainer = container.securityContext?.windowsOptions?.hostProcess;
    if (!options.allowWindowsHostProcess && ofContainer !== undefined) {
      errors.push(forbidden(at.child(...field), disabled));
    }
    if (ofPod !== undefined && ofContainer !== undefined && ofPod !== ofContainer) {
      const why = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      errors.push(invalid(at.child(...field), ofContainer, why));
    }
    if (ofContainer ?? ofPod ?? false) count++;
  }
  if (count === 0) return errors;
  if (!options.allowWindowsHostProcess) {
    const why =
      "pod must not contain Windows hostProcess containers when feature gate 'WindowsHostProcessContainers' is not enabled";
    return [...errors, forbidden(path, why)];
  }
  if (count !== containers.length) {
    const why =
      "If pod contains any hostProcess containers then all containers must be HostProcess containers";
    errors.push(invalid(path, "", why));
  }
  if (spec.hostNetwork !== true) {
    const why = "hostNetwork must be true if pod contains any hostProcess containers";
    errors.push(invalid(path.child("hostNetwork"), false, why));
  }
  if (!options.allowPrivileged) {
    errors.push(forbidden(path, "hostProcess containers are disallowed by cluster policy"));
  }
  return errors;
}

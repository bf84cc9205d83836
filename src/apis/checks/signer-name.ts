import { append } from "../../apimachinery/collections/append.js";
import { hasErrorTextsOf } from "../../apimachinery/errors/error-texts.js";
import {
  type FieldError,
  type FieldPath,
  invalid,
  required,
  tooLong,
} from "../../apimachinery/errors/field-error.js";
import {
  dns1123LabelMaxLength,
  dns1123SubdomainMaxLength,
  isDns1123Label,
  isDns1123Subdomain,
} from "../../apimachinery/validation/dns-names.js";
import { byteLength } from "../../apimachinery/validation/messages.js";

/** After the slash: a namespace and a name, separated by a dot. */
const pathBytesMax = dns1123SubdomainMaxLength + dns1123LabelMaxLength + 1;
const signerNameBytesMax = dns1123SubdomainMaxLength + pathBytesMax + 1;

/** Longer domains are not checked label by label. */
const checkedLengthMax = 10 * signerNameBytesMax;

/** `example.com/my-signer`. */
export function validateSignerName(path: FieldPath, name: string): FieldError[] {
  if (name === "") return [required(path, hasErrorTextsOf(26) ? "" : "signerName must be provided")];
  const [domain = "", signer, more] = name.split("/", 3);
  if (signer === undefined || more !== undefined) {
    const form = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [invalid(path, name, form)];
  }
  if (name.length > checkedLengthMax) return [tooLong(path, signerNameBytesMax)];
  const errors: FieldError[] = [];
  if (byteLength(domain) > dns1123SubdomainMaxLength) errors.push(tooLong(path, dns1123SubdomainMaxLength));
  const labels = domain.split(".");
  append(errors, firstLabelErrors(path, domain, labels, isDns1123Label));
  if (labels.length < 2) {
    errors.push(invalid(path, domain, "should be a domain with at least two segments separated by dots"));
  }
  append(errors, firstLabelErrors(path, signer, signer.split("."), isDns1123Subdomain));
  if (byteLength(name) > signerNameBytesMax) errors.push(tooLong(path, signerNameBytesMax));
  return errors;
}

/** Whether a signer is one of the vendor's: of its domain or one below. */
export function isOwnSigner(signerName: string, domain: string): boolean {
  const [host = ""] = signerName.split("/", 1);
  return host === domain || host.endsWith(`.${domain}`);
}

/** The resource names by which RBAC may refer to a signer: the signer itself, and `domain/*`. */
export function signerResourceNames(signerName: string): readonly string[] {
  const [domain] = signerName.split("/", 1);
  return [signerName, `${domain}/*`];
}

/** Only the first invalid label is reported: the errors of others would read the same. */
function firstLabelErrors(
  path: FieldPath,
  segment: string,
  labels: readonly string[],
  problemsOf: (label: string) => string[],
): FieldError[] {
  for (const label of labels) {
    const problems = problemsOf(label);
    if (problems.length === 0) continue;
    return problems.map((problem) =>
      invalid(path, segment, `validating label ${JSON.stringify(label)}: ${problem}`),
    );
  }
  return [];
}

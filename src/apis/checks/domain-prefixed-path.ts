import { type FieldError, type FieldPath, invalid, required } from "../../apimachinery/errors/field-error.js";
import { isDns1123Subdomain } from "../../apimachinery/validation/dns-names.js";
import { patternMessage } from "../../apimachinery/validation/messages.js";

const pathFormat = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const pathPattern = new RegExp(`^${pathFormat}$`);

/** `example.com/ingress-controller`: a name qualified by a domain. */
export function validateDomainPrefixedPath(at: FieldPath, text: string): FieldError[] {
  if (text === "") return [required(at, "")];
  const slash = text.indexOf("/");
  const host = text.slice(0, Math.max(slash, 0));
  const path = text.slice(slash + 1);
  if (host === "" || path === "") {
    return [invalid(at, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const errors = isDns1123Subdomain(host).map((problem) => invalid(at, host, problem));
  if (!pathPattern.test(path)) errors.push(invalid(at, path, patternMessage("Invalid path", pathFormat)));
  return errors;
}

import { hasErrorTextsOf } from "../../apimachinery/errors/error-texts.js";
import { type FieldError, type FieldPath, invalid, required } from "../../apimachinery/errors/field-error.js";
import { quotedShortened } from "../../apimachinery/errors/printed-value.js";
import { isDns1123Subdomain } from "../../apimachinery/validation/dns-names.js";
import { isValidPortNum } from "../../apimachinery/validation/numbers.js";
import { urlParts, urlProblem } from "../../apimachinery/validation/urls.js";

/** Validates where a webhook is: a URL or a service, not both. */
export function validateWebhookClient(
  { url, service }: { readonly url?: string | undefined; readonly service?: WebhookService | undefined },
  path: FieldPath,
): FieldError[] {
  if ((url === undefined) === (service === undefined)) {
    return [required(path, "exactly one of url or service is required")];
  }
  if (url !== undefined) return validateWebhookUrl(path.child("url"), url);
  return service === undefined ? [] : validateWebhookService(path.child("service"), service);
}

/** Validates the URL of a webhook; `path` is the field's. */
export function validateWebhookUrl(path: FieldPath, url: string): FieldError[] {
  const form = "; desired format: https://host[/path]";
  const problem = urlProblem(url);
  if (problem !== undefined) {
    return [required(path, `url must be a valid URL: parse ${quotedShortened(url)}: ${problem}${form}`)];
  }
  const [, scheme = "", authority = "", , query = "", fragment = ""] = urlParts.exec(url) ?? [];
  const at = authority.lastIndexOf("@");
  const host = authority.slice(at + 1);
  const errors: FieldError[] = [];
  if (scheme.toLowerCase() !== "https") {
    errors.push(invalid(path, scheme.toLowerCase(), `'https' is the only allowed URL scheme${form}`));
  }
  if (host === "")
    errors.push(invalid(path, host, `host must be ${hasErrorTextsOf(26) ? "specified" : "provided"}${form}`));
  if (at >= 0) {
    errors.push(invalid(path, authority.slice(0, at), "user information is not permitted in the URL"));
  }
  if (fragment !== "") errors.push(invalid(path, fragment, "fragments are not permitted in the URL"));
  if (query !== "") errors.push(invalid(path, query, "query parameters are not permitted in the URL"));
  return errors;
}

/** Kubernetes has no limit. Each bad segment is an error that shows the path. */
const segmentsMax = 100;

export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  readonly path?: string | undefined;
  readonly port?: number | undefined;
}

/** Validates the service of a webhook. As in Kubernetes, the errors for an empty name and an empty namespace are swapped. */
export function validateWebhookService(path: FieldPath, service: WebhookService): FieldError[] {
  const { name, namespace, port = 0, path: urlPath } = service;
  const errors: FieldError[] = [];
  if (namespace === "")
    errors.push(required(path.child("name"), hasErrorTextsOf(34) ? "" : "service name is required"));
  if (name === "")
    errors.push(
      required(path.child("namespace"), hasErrorTextsOf(34) ? "" : "service namespace is required"),
    );
  const portProblems = isValidPortNum(port);
  if (portProblems.length > 0) {
    errors.push(invalid(path.child("port"), port, `port is not valid: ${portProblems.join(", ")}`));
  }
  return [...errors, ...pathErrors(urlPath ?? "", path.child("path"))];
}

function pathErrors(urlPath: string, path: FieldPath): FieldError[] {
  if (urlPath === "" || urlPath === "/") return [];
  if (urlPath === "//") return [invalid(path, urlPath, "segment[0] may not be empty")];
  const errors: FieldError[] = [];
  if (!urlPath.startsWith("/")) errors.push(invalid(path, urlPath, "must start with a '/'"));
  // Removes the first character, whatever it is.
  const segments = urlPath
    .slice(1)
    .replace(/\/$/, "")
    .split("/", segmentsMax + 1);
  if (segments.length > segmentsMax) {
    return [...errors, invalid(path, urlPath, `must not have more than ${segmentsMax} segments`)];
  }
  for (const [index, segment] of segments.entries()) {
    if (segment === "") {
      errors.push(invalid(path, urlPath, `segment[${index}] may not be empty`));
      continue;
    }
    for (const problem of isDns1123Subdomain(segment)) {
      errors.push(invalid(path, urlPath, `segment[${index}]: ${problem}`));
    }
  }
  return errors;
}

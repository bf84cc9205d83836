import type { ValueFormat } from "../../apimachinery/schema/declaration.js";
import {
  isDns1035Label,
  isDns1123Label,
  isDns1123Subdomain,
  isWildcardDns1123Subdomain,
} from "../../apimachinery/validation/dns-names.js";
import {
  backstepProblems,
  descendingPathProblems,
  filePathProblems,
} from "../../apimachinery/validation/file-paths.js";
import {
  isConfigMapKey,
  isHttpHeaderName,
  isRelaxedEnvVarName,
} from "../../apimachinery/validation/identifiers.js";
import { isValidPathSegmentName } from "../../apimachinery/validation/object-name.js";
import { isValidPortName } from "../../apimachinery/validation/port-name.js";
import { isQualifiedName, isValidLabelValue } from "../../apimachinery/validation/qualified-name.js";

/** What is wrong with a text; nothing when it has the format. */
type Problems = (text: string) => readonly string[];

export const valueFormats: { readonly [F in ValueFormat]: Problems } = {
  configMapKey: isConfigMapKey,
  descendingPath: descendingPathProblems,
  dns1035Label: isDns1035Label,
  dnsLabel: isDns1123Label,
  dnsSubdomain: isDns1123Subdomain,
  dnsSubdomainOrWildcard: (text) =>
    text.includes("*") ? isWildcardDns1123Subdomain(text) : isDns1123Subdomain(text),
  filePathInVolume: filePathProblems,
  httpHeaderName: isHttpHeaderName,
  labelValue: isValidLabelValue,
  pathSegment: isValidPathSegmentName,
  pathWithoutBacksteps: backstepProblems,
  portName: isValidPortName,
  qualifiedName: isQualifiedName,
  relaxedEnvVarName: isRelaxedEnvVarName,
};

import { compareText } from "../../apimachinery/collections/compare-text.js";
/**
 * Sorts versions as Kubernetes prefers them: general availability, then beta, then alpha, each from the newest to the oldest; names of
 * another form come last, alphabetically. Source:
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#version-priority
 */
export function compareVersions(a: string, b: string): number {
  const left = parseVersion(a);
  const right = parseVersion(b);
  if (left === undefined || right === undefined) {
    if (left !== undefined) return -1;
    if (right !== undefined) return 1;
    return compareText(a, b);
  }
  return right.stage - left.stage || right.major - left.major || right.minor - left.minor;
}

const stages = ["alpha", "beta", undefined];

function parseVersion(
  text: string,
): { readonly stage: number; readonly major: number; readonly minor: number } | undefined {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(text);
  if (match === null) return undefined;
  const [, major, stage, minor] = match;
  return { stage: stages.indexOf(stage), major: Number(major), minor: Number(minor ?? 0) };
}

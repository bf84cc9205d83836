import { badRequest } from "../../apimachinery/errors/status.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import {
  type AccessSelectors,
  accessSelectors,
  type SelectorRequirement,
} from "../../apimachinery/requests/access-selectors.js";
import type { AccessInfo, AccessRules, Authorizer } from "../../apimachinery/requests/authorizer.js";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import {
  fieldRequirementsOf,
  knownFieldRequirements,
  knownLabelRequirements,
  labelRequirementsOf,
  type ReadRequirements,
} from "../../apimachinery/selectors/access-requirements.js";
import type {
  FieldSelectorAttributes,
  LabelSelectorAttributes,
  LocalSubjectAccessReview,
  NonResourceAttributes,
  ResourceAttributes,
  SelfSubjectAccessReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
  SubjectAccessReviewSpec,
} from "../../apis/gen/authorization-v1.js";
import { turnIfRoundIsOver } from "../../event-loop/turns.js";
import type { ApiRequest } from "../../request/api-request.js";
import type { OperationHandler } from "../resource/operation.js";
import { type VirtualResource, valueOperation } from "./value-operation.js";

interface Question {
  readonly resourceAttributes?: ResourceAttributes | undefined;
  readonly nonResourceAttributes?: NonResourceAttributes | undefined;
}

/** The four reviews of access rights, answered by the configured authorizers. */
export function accessReview(
  virtual: VirtualResource,
  { authorizer, level }: { readonly authorizer: Authorizer; readonly level: ApiLevel },
): OperationHandler | undefined {
  const decide = async (user: UserInfo, question: Question, { signal }: ApiRequest) => {
    const asked = selectorsOf(question);
    const info = { ...infoOf(question, level), selectors: asked.selectors };
    const { kind, reason, error } = await authorizer.authorize({ user, info, signal });
    const problems = [...(error === undefined ? [] : [error.message]), ...asked.problems];
    return {
      allowed: kind === "allow",
      ...(kind === "deny" && { denied: true }),
      ...(reason !== "" && { reason }),
      ...(problems.length > 0 && { evaluationError: problems.join("; ") }),
    };
  };
  switch (virtual.definition.resource) {
    case "selfsubjectaccessreviews":
      return valueOperation<SelfSubjectAccessReview>(virtual, async (review, request) => {
        review.status = await decide(request.user, review.spec, request);
      });
    case "subjectaccessreviews":
      return valueOperation<SubjectAccessReview>(virtual, async (review, request) => {
        review.status = await decide(userOf(review.spec), review.spec, request);
      });
    case "localsubjectaccessreviews":
      return valueOperation<LocalSubjectAccessReview>(virtual, async (review, request) => {
        // Validation ensures that the spec's namespace is this one.
        const { namespace } = request.info;
        if ((review.metadata.namespace ?? "") !== namespace) {
          throw badRequest(`spec.resourceAttributes.namespace must match namespace: ${namespace}`);
        }
        review.status = await decide(userOf(review.spec), review.spec, request);
      });
    case "selfsubjectrulesreviews":
      return valueOperation<SelfSubjectRulesReview>(virtual, async (review, request) => {
        const namespace = review.spec.namespace ?? "";
        if (namespace === "") throw badRequest("no namespace on request");
        const rules = await authorizer.rulesFor(request.user, namespace);
        await turnIfRoundIsOver();
        // As in Kubernetes, the answer does not return the metadata.
        review.metadata = {};
        review.spec = {};
        review.status = rulesStatus(rules);
        // Printing follows without yielding, so yield now if this turn's time is used up.
        await turnIfRoundIsOver();
      });
    default:
      return undefined;
  }
}

function rulesStatus({
  resourceRules,
  nonResourceRules,
  incomplete,
  error,
}: AccessRules): SelfSubjectRulesReview["status"] {
  return {
    resourceRules: resourceRules.map((rule) => ({
      verbs: [...rule.verbs],
      apiGroups: copied(rule.apiGroups),
      resources: copied(rule.resources),
      resourceNames: copied(rule.resourceNames),
    })),
    nonResourceRules: nonResourceRules.map(({ verbs, nonResourceURLs }) => ({
      verbs: [...verbs],
      nonResourceURLs: copied(nonResourceURLs),
    })),
    incomplete,
    ...(error !== undefined && { evaluationError: error }),
  };
}

function copied(list: readonly string[] | undefined): string[] | undefined {
  return list && [...list];
}

function userOf(spec: SubjectAccessReviewSpec): UserInfo {
  return { name: spec.user ?? "", uid: spec.uid ?? "", groups: spec.groups ?? [], extra: spec.extra ?? {} };
}

/** The reviewed request as attributes for the authorizer. */
function infoOf({ resourceAttributes, nonResourceAttributes }: Question, level: ApiLevel): AccessInfo {
  const asked = resourceAttributes ?? {};
  const anyVersion = resourceAttributes !== undefined && isAtLeast(level, "1.28") ? "*" : "";
  return {
    isResourceRequest: resourceAttributes !== undefined,
    path: nonResourceAttributes?.path ?? "",
    verb: asked.verb ?? nonResourceAttributes?.verb ?? "",
    apiGroup: asked.group ?? "",
    apiVersion: asked.version || anyVersion,
    namespace: asked.namespace ?? "",
    resource: asked.resource ?? "",
    subresource: asked.subresource ?? "",
    name: asked.name ?? "",
  };
}

/** The selectors that limit the reviewed request. One that cannot be parsed is left out, and the answer says so. */
function selectorsOf({ resourceAttributes }: Question): {
  readonly selectors: AccessSelectors | undefined;
  readonly problems: readonly string[];
} {
  const { fieldSelector, labelSelector } = resourceAttributes ?? {};
  if (fieldSelector === undefined && labelSelector === undefined) return nothingAsked;
  const fields = readSelector(fieldSelector, fieldRequirementsOf, knownFieldRequirements);
  const labels = readSelector(labelSelector, labelRequirementsOf, knownLabelRequirements);
  return {
    selectors: accessSelectors(fields.requirements, labels.requirements),
    problems: [...problemsOf("fieldSelector", fields), ...problemsOf("labelSelector", labels)],
  };
}

const nothingAsked = { selectors: undefined, problems: [] };

function readSelector(
  selector: FieldSelectorAttributes | LabelSelectorAttributes | undefined,
  parse: (text: string) => ReadRequirements,
  check: (given: readonly SelectorRequirement[]) => ReadRequirements,
): ReadRequirements {
  const { rawSelector = "", requirements = [] } = selector ?? {};
  return requirements.length > 0 ? check(requirements) : parse(rawSelector);
}

function problemsOf(name: string, { requirements, error }: ReadRequirements): string[] {
  if (error === undefined) return [];
  const extent = requirements.length > 0 ? "partially ignored" : "ignored";
  return [`spec.resourceAttributes.${name} ${extent} due to parse error`];
}

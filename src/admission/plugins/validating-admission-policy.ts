import { codeOfReason, StatusError } from "../../apimachinery/errors/status.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { ValidatingAdmissionPolicyBinding } from "../../apis/gen/admissionregistration-v1.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import type { ServedForm } from "../chain/object-forms.js";
import { nameToReport, refused } from "../chain/refusal.js";
import { namespaceOf } from "../matching/match.js";
import { AccessChecks } from "../policies/access-checks.js";
import { ValidatingPolicy } from "../policies/compiled-policy.js";
import { matchedForm, type PolicyMatch } from "../policies/policy-match.js";
import { type EnforcementAction, errorTypeOf } from "../policies/policy-observer.js";
import { collectParams, paramKindProblem } from "../policies/policy-params.js";
import { PolicyRun } from "../policies/policy-run.js";
import { PolicyVariables, type SeenObjects, seenObjects } from "../policies/policy-variables.js";
import { type PolicyDenial, type PolicyOutcome, validateByPolicy } from "../policies/validate-by-policy.js";
import type { PluginContext } from "./plugin-context.js";
import { PoliciesInForce, type PolicyBinding, policyBinding } from "./policies-in-force.js";

const operations = ["CREATE", "UPDATE", "DELETE", "CONNECT"] as const;

/** A binding as the plugin keeps it. */
interface Binding extends PolicyBinding {
  readonly actions: readonly string[];
}

/**
 * Refuses requests, warns and adds to audit events by policies in the Common Expression Language. Source: Kubernetes documentation,
 * "Validating Admission Policy".
 */
export function validatingAdmissionPolicy(context: PluginContext): AdmissionPlugin {
  if (!context.isEnabled("ValidatingAdmissionPolicy")) return { operations };
  const inForce = PoliciesInForce.of(
    context,
    "ValidatingAdmissionPolicy",
    {
      resource: "validatingadmissionpolicies.admissionregistration",
      view: (policy) => new ValidatingPolicy(policy, context),
    },
    {
      resource: "validatingadmissionpolicybindings.admissionregistration",
      view: (binding) => bindingAt(binding, context.level),
    },
  );
  return {
    operations,
    validate(attributes) {
      const policies = inForce.over(attributes);
      if (policies.length === 0) return;
      return new Validation(attributes, context).run(policies);
    },
  };
}

/** Before 1.27 bindings name no actions and always deny. */
function bindingAt(binding: ValidatingAdmissionPolicyBinding, level: ApiLevel): Binding {
  const actions = isAtLeast(level, "1.27") ? (binding.spec.validationActions ?? []) : ["Deny"];
  return { ...policyBinding(binding), actions };
}

interface Denied extends Pick<PolicyDenial, "message" | "reason"> {
  readonly policy: string;
  /** Undefined for a policy that cannot be used at all. */
  readonly binding: string | undefined;
}

/** Evaluates all policies for one request. */
class Validation {
  readonly #attributes: AdmissionAttributes;
  readonly #context: PluginContext;
  readonly #checks: AccessChecks;
  readonly #denied: Denied[] = [];
  /** By version; they no longer change. */
  readonly #objects = new Map<string, Pick<SeenObjects, "object" | "oldObject">>();

  constructor(attributes: AdmissionAttributes, context: PluginContext) {
    this.#attributes = attributes;
    this.#context = context;
    const isStrict = context.isEnabled("StrictCostEnforcementForVAP");
    this.#checks = new AccessChecks(context.authorizer, attributes, isStrict);
  }

  async run(policies: ReturnType<PoliciesInForce<ValidatingPolicy, Binding>["over"]>): Promise<void> {
    for (const { policy, bindings } of policies) {
      const form = await this.#matched(policy.match);
      if (form === undefined) continue;
      await this.#applyPolicy(policy, bindings, form);
    }
    const [first] = this.#denied;
    if (first !== undefined) throw refusal(this.#attributes, first);
  }

  #matched(match: PolicyMatch): ServedForm | undefined | Promise<ServedForm | undefined> {
    return matchedForm(match, this.#attributes, this.#context.namespaces);
  }

  async #applyPolicy(
    policy: ValidatingPolicy,
    bindings: readonly Binding[],
    form: ServedForm,
  ): Promise<void> {
    const problem = paramKindProblem(policy, this.#context.cluster);
    if (problem !== undefined) {
      if (policy.ignoresFailures) return;
      this.#denied.push({ policy: policy.name, binding: undefined, message: problem, reason: "" });
      return;
    }
    const annotations = new Map<string, Set<string>>();
    let variables: PolicyVariables | undefined;
    for (const binding of bindings) {
      const matching = this.#matched(binding.match);
      if ((matching instanceof Promise ? await matching : matching) === undefined) continue;
      const bound = await collectParams(policy, binding, this.#attributes, this.#context);
      if (bound.kind === "unusable") {
        const { message } = bound;
        if (!policy.ignoresFailures) {
          this.#denied.push({ policy: policy.name, binding: binding.name, message, reason: "" });
        }
        continue;
      }
      const { params } = bound;
      if (params.length === 0) continue;
      variables ??= await this.#variables(policy, form);
      const variable = variables.valueOf.bind(variables);
      for (const one of params) {
        const { compiled } = policy;
        const { runWork } = this.#context;
        const runs = (): PolicyRun =>
          new PolicyRun({ variables: compiled.variables, variable, params: one, runWork });
        const outcome = await validateByPolicy(compiled, runs, {
          ignoresFailures: policy.ignoresFailures,
          observer: this.#context.policyObserver,
          owner: { kind: "policy", name: policy.name, operation: this.#attributes.operation },
        });
        this.#act(policy, binding, outcome);
        for (const { key, value } of outcome.annotations) {
          const known = annotations.get(key) ?? new Set();
          annotations.set(key, known.add(value));
        }
      }
    }
    for (const [key, values] of annotations) {
      this.#attributes.addAnnotation(`${policy.name}/${key}`, [...values].join(", "));
    }
  }

  async #variables(policy: ValidatingPolicy, form: ServedForm): Promise<PolicyVariables> {
    const { cluster, naming } = this.#context;
    const version = `${form.kind.group}/${form.kind.version}/${form.kind.kind}`;
    const objects = this.#objects.get(version) ?? (await seenObjects(this.#attributes, form));
    this.#objects.set(version, objects);
    const namespace = policy.compiled.readsNamespace
      ? await cluster.namespaceObject(namespaceOf(this.#attributes))
      : null;
    return new PolicyVariables(this.#attributes, form, {
      objects: { ...objects, namespace },
      authorizer: this.#checks,
      metaGroup: naming.group("meta"),
    });
  }

  #act(
    policy: ValidatingPolicy,
    binding: Binding,
    { denials, ignored, failedAnnotations }: PolicyOutcome,
  ): void {
    const by = { policy: policy.name, binding: binding.name };
    const observe = (
      found: Pick<PolicyDenial, "message" | "durationMs">,
      action: EnforcementAction,
    ): void => {
      const { message, durationMs } = found;
      const check = { ...by, errorType: errorTypeOf(message), durationMs };
      this.#context.policyObserver.validated(check, action);
    };
    for (const failure of ignored) observe(failure, "allow");
    for (const denial of denials) {
      for (const action of binding.actions) {
        if (action === "Deny") {
          this.#denied.push({ ...denial, ...by });
          observe(denial, "deny");
        } else if (action === "Warn") {
          this.#attributes.warn(
            `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${denial.message}`,
          );
          observe(denial, "warn");
        } else {
          this.#record(binding, denial);
          observe(denial, "audit");
        }
      }
    }
    for (const failed of failedAnnotations) {
      this.#denied.push({ ...by, message: failed.message, reason: "" });
      observe(failed, "deny");
    }
  }

  /** Adds to the audit event, for the action Audit. */
  #record(binding: Binding, { index, message }: PolicyDenial): void {
    const value = JSON.stringify([
      {
        message,
        policy: binding.policyName,
        binding: binding.name,
        expressionIndex: index,
        validationActions: binding.actions,
      },
    ]);
    const key = `validation.policy.admission.${this.#context.naming.groupDomain}/validation_failure`;
    this.#attributes.addAnnotation(key, value);
  }
}

function refusal(attributes: AdmissionAttributes, { policy, binding, message, reason }: Denied): StatusError {
  const by = binding === undefined ? "" : ` with binding '${binding}'`;
  const text = `ValidatingAdmissionPolicy '${policy}'${by} denied request: ${message}`;
  const { status } = refused(attributes, text);
  const given = reason === "" ? "Invalid" : reason;
  const code = given in codeOfReason ? codeOfReason[given as keyof typeof codeOfReason] : undefined;
  return new StatusError({
    ...status,
    reason: given,
    code: code !== undefined && refusalCodes.has(code) ? code : codeOfReason.Invalid,
    details: { ...status.details, name: nameToReport(attributes), causes: [{ message: text }] },
  });
}

/** Other reasons are answered like an invalid object. */
const refusalCodes: ReadonlySet<number> = new Set([401, 403, 413, 422]);

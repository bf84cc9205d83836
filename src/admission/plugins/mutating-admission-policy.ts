import type { CelValue } from "../../apimachinery/cel/cel-value.js";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { internal, StatusError } from "../../apimachinery/errors/status.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { jsonEqual } from "../../apimachinery/json/json-values.js";
import { DecodeError } from "../../apimachinery/schema/codec.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import type { ServedForm } from "../chain/object-forms.js";
import { refused } from "../chain/refusal.js";
import { CallsAgain, type Reinvocation } from "../chain/reinvocation.js";
import { namespaceOf } from "../matching/match.js";
import { AccessChecks } from "../policies/access-checks.js";
import { applyMutation, MutationError } from "../policies/apply-mutation.js";
import { checkConditions } from "../policies/match-conditions.js";
import { type CompiledMutation, MutatingPolicy } from "../policies/mutating-policy.js";
import { matchedForm } from "../policies/policy-match.js";
import { errorTypeOf, type PolicyErrorType } from "../policies/policy-observer.js";
import { collectParams, paramKindProblem } from "../policies/policy-params.js";
import { PolicyBudgetError, PolicyRun } from "../policies/policy-run.js";
import { PolicyVariables, seenObjects } from "../policies/policy-variables.js";
import type { PluginContext } from "./plugin-context.js";
import { PoliciesInForce, type PolicyBinding, policyBinding } from "./policies-in-force.js";

const operations = ["CREATE", "UPDATE", "CONNECT"] as const;

/** State that the first mutating pass leaves for the second. */
interface Note {
  /** The object after the last policy. */
  output: JsonObject | undefined;
  readonly callsAgain: CallsAgain;
}

/**
 * Changes objects by policies in the Common Expression Language, in the order of their names. Source: Kubernetes documentation, "Mutating
 * Admission Policy".
 */
export function mutatingAdmissionPolicy(context: PluginContext): AdmissionPlugin {
  if (!context.isEnabled("MutatingAdmissionPolicy")) return { operations };
  const inForce = PoliciesInForce.of(
    context,
    "MutatingAdmissionPolicy",
    {
      resource: "mutatingadmissionpolicies.admissionregistration",
      view: (policy) => new MutatingPolicy(policy, context),
    },
    { resource: "mutatingadmissionpolicybindings.admissionregistration", view: policyBinding },
  );
  const notes = new WeakMap<Reinvocation, Note>();
  return {
    operations,
    mutate(attributes) {
      if (attributes.object === undefined) return;
      const policies = inForce.over(attributes);
      if (policies.length === 0) return;
      const { reinvocation } = attributes;
      const note = notes.get(reinvocation) ?? { output: undefined, callsAgain: new CallsAgain() };
      notes.set(reinvocation, note);
      return new MutationPass(attributes, context, note).run(policies);
    },
  };
}

type Policies = ReturnType<PoliciesInForce<MutatingPolicy, PolicyBinding>["over"]>;

interface Failure {
  readonly message: string;
  /** Undefined when the policy could not be used at all. */
  readonly reason: "Invalid" | undefined;
}

/** A policy with one binding and one object of parameters. */
interface Invocation {
  readonly policy: MutatingPolicy;
  readonly binding: PolicyBinding;
  readonly form: ServedForm;
  readonly params: CelValue;
  readonly key: string;
}

/** One pass of all policies over an object. */
class MutationPass {
  readonly #attributes: AdmissionAttributes;
  readonly #context: PluginContext;
  readonly #checks: AccessChecks;
  readonly #note: Note;
  readonly #failures: Failure[] = [];
  #hasChanged = false;

  constructor(attributes: AdmissionAttributes, context: PluginContext, note: Note) {
    this.#attributes = attributes;
    this.#context = context;
    this.#checks = new AccessChecks(context.authorizer, attributes, true);
    this.#note = note;
  }

  async run(policies: Policies): Promise<void> {
    const { kind, resource, reinvocation } = this.#attributes;
    const note = this.#note;
    if (reinvocation.isReinvoke && note.output !== undefined) {
      const now = await this.#json({ kind, resource });
      if (!jsonEqual(now, note.output)) note.callsAgain.objectChanged();
    }
    for (const invocation of await this.#invocations(policies)) await this.#invoke(invocation);
    if (this.#hasChanged) {
      note.callsAgain.objectChanged();
      reinvocation.request();
    }
    if (note.callsAgain.isWaiting) note.output = await this.#json({ kind, resource });
    const [first] = this.#failures;
    if (first !== undefined) throw refusal(this.#attributes, first, this.#failures);
  }

  /** Whether a policy matches depends on the object before all policies, unlike its conditions. */
  async #invocations(policies: Policies): Promise<readonly Invocation[]> {
    const found: Invocation[] = [];
    for (const { policy, bindings } of policies) {
      const matching = matchedForm(policy.match, this.#attributes, this.#context.namespaces);
      const form = matching instanceof Promise ? await matching : matching;
      if (form === undefined) continue;
      const problem = paramKindProblem(policy, this.#context.cluster);
      if (problem !== undefined) this.#refuse(policy, JSON.stringify(policy.name), problem, undefined);
      else for (const binding of bindings) found.push(...(await this.#ofBinding(policy, binding, form)));
    }
    return found;
  }

  async #ofBinding(policy: MutatingPolicy, binding: PolicyBinding, form: ServedForm): Promise<Invocation[]> {
    const matching = matchedForm(binding.match, this.#attributes, this.#context.namespaces);
    if ((matching instanceof Promise ? await matching : matching) === undefined) return [];
    const bound = await collectParams(policy, binding, this.#attributes, this.#context);
    if (bound.kind === "unusable") {
      this.#fail(policy, binding, bound.message, undefined);
      return [];
    }
    return bound.params.map((params, index) => {
      const key = `${policy.name}/${binding.name}/${index}`;
      return { policy, binding, form, params, key };
    });
  }

  #fail(policy: MutatingPolicy, binding: PolicyBinding, why: string, reason: Failure["reason"]): void {
    this.#refuse(policy, `'${policy.name}' with binding '${binding.name}'`, why, reason);
  }

  #refuse(policy: MutatingPolicy, shown: string, why: string, reason: Failure["reason"]): void {
    if (policy.ignoresFailures) return;
    this.#failures.push({ message: `policy ${shown} denied request: ${why}`, reason });
  }

  async #invoke(invocation: Invocation): Promise<void> {
    const { policy, binding, form, key } = invocation;
    const note = this.#note;
    const { reinvocation } = this.#attributes;
    const { compiled } = policy;
    if (compiled.conditions.length > 0) {
      const outcome = await checkConditions(compiled.conditions, await this.#runOf(invocation), {
        observer: this.#context.policyObserver,
        owner: { kind: "policy", name: policy.name, operation: this.#attributes.operation },
      });
      if (outcome.kind === "failed") this.#fail(policy, binding, outcome.error, "Invalid");
      if (outcome.kind !== "met") return;
    }
    if (reinvocation.isReinvoke && !note.callsAgain.has(key)) return;
    const before = await this.#json(form);
    for (const mutation of compiled.mutations) await this.#mutate(invocation, mutation);
    if (!jsonEqual(before, await this.#json(form))) this.#hasChanged = true;
    if (policy.isReinvoked) note.callsAgain.called(key);
  }

  async #mutate(invocation: Invocation, mutation: CompiledMutation): Promise<void> {
    const { policy, binding, form } = invocation;
    const { object: target, forms } = this.#attributes;
    if (target === undefined) return;
    const { policyObserver } = this.#context;
    const startedAt = policyObserver.now();
    const observe = (errorType: PolicyErrorType): void =>
      policyObserver.mutated({
        policy: policy.name,
        binding: binding.name,
        errorType,
        durationMs: policyObserver.now() - startedAt,
      });
    try {
      const run = await this.#runOf(invocation);
      const { value, error } = await run.evaluate(mutation);
      if (error !== undefined) throw new MutationError(error);
      const object = await this.#json(form);
      const mergeType = isOfResource(form) ? forms.mergeType(form.kind) : undefined;
      const changed = applyMutation(value, mutation.isApplied, { object, mergeType });
      if (!jsonEqual(changed, object)) {
        await forms.replace(target, changed, form.kind, object, { isStrict: !mutation.isApplied });
      }
      observe("no_error");
    } catch (error) {
      const isOfPolicy =
        error instanceof MutationError || error instanceof PolicyBudgetError || error instanceof DecodeError;
      if (!isOfPolicy) throw error;
      const message = messageOf(error);
      observe(errorTypeOf(message));
      // Not a failure of the policy, so `failurePolicy` does not apply.
      if (error instanceof DecodeError && !mutation.isApplied) throw internal(message, error);
      this.#fail(policy, binding, message, "Invalid");
    }
  }

  /** Evaluates the policy for the current state of the object. */
  async #runOf({ policy, form, params }: Invocation): Promise<PolicyRun> {
    const { cluster, naming } = this.#context;
    const objects = await seenObjects(this.#attributes, form);
    const { compiled } = policy;
    const namespace = compiled.readsNamespace
      ? await cluster.namespaceObject(namespaceOf(this.#attributes))
      : null;
    const variables = new PolicyVariables(this.#attributes, form, {
      objects: { ...objects, namespace },
      authorizer: this.#checks,
      metaGroup: naming.group("meta"),
    });
    const variable = variables.valueOf.bind(variables);
    const { runWork } = this.#context;
    return new PolicyRun({ variables: compiled.variables, variable, params, runWork });
  }

  async #json(form: ServedForm): Promise<JsonObject> {
    const { object, forms } = this.#attributes;
    return object === undefined ? {} : await forms.json(object, form.kind);
  }
}

/** Kubernetes looks for the schema in the group of the kind, and finds none for a scale or another subresource's kind. */
function isOfResource({ kind, resource }: ServedForm): boolean {
  return kind.group === resource.group && kind.version === resource.version;
}

function refusal(
  attributes: AdmissionAttributes,
  { message, reason }: Failure,
  failures: readonly Failure[],
): StatusError {
  const { status } = refused(attributes, "admission request denied by policy");
  const causes = failures.map((failure) => ({ message: failure.message }));
  return new StatusError({
    ...status,
    message,
    ...(reason !== undefined && { reason }),
    details: { ...status.details, causes },
  });
}

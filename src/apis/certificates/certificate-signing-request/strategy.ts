import { nameIsPathSegment } from "../../../apimachinery/validation/object-name.js";
import { formatTime } from "../../../apimachinery/values/time.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import type { Strategy } from "../../definition/strategy.js";
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from "../../gen/certificates-v1.js";
import { validateSigningRequest, validateSigningRequestUpdate } from "./validation.js";

export interface SigningRequestStrategies {
  readonly main: Strategy<CertificateSigningRequest>;
  readonly approval: Strategy<CertificateSigningRequest>;
  readonly status: Strategy<CertificateSigningRequest>;
}

/** The request records its author and never changes. Approval and issuance are separate subresources with permissions of their own. */
export function signingRequestStrategies(context: ApiContext): SigningRequestStrategies {
  const rules = { domain: context.naming.domain };
  const main = strategy<CertificateSigningRequest>({
    validateName: nameIsPathSegment,
    // Immutable and server-set fields have no managers.
    resetFields: [["spec"], ["status"]],
    prepareForCreate({ user }, { spec, status }) {
      spec.username = user.name === "" ? undefined : user.name;
      spec.uid = user.uid === "" ? undefined : user.uid;
      spec.groups = user.groups.length === 0 ? undefined : [...user.groups];
      const extra: { [key: string]: string[] } = {};
      for (const [key, values] of Object.entries(user.extra)) extra[key] = [...values];
      spec.extra = Object.keys(extra).length === 0 ? undefined : extra;
      if (!context.isEnabled("CSRDuration")) spec.expirationSeconds = undefined;
      status.conditions = undefined;
      status.certificate = undefined;
    },
    prepareForUpdate(_context, object, old) {
      object.spec = old.spec;
      object.status = old.status;
    },
    validate: (_context, object) => validateSigningRequest(object, undefined, rules),
    validateUpdate: (_context, object, old) => validateSigningRequestUpdate(object, old, "main", rules),
  });
  const approval = strategy<CertificateSigningRequest>({
    ...main,
    resetFields: [["spec"], ["status", "certificate"]],
    prepareForUpdate({ now }, object, old) {
      setConditionTimes(object, old, now);
      object.spec = old.spec;
      object.status = { ...old.status, conditions: object.status.conditions };
    },
    validateUpdate: (_context, object, old) => validateSigningRequestUpdate(object, old, "approval", rules),
  });
  const status = strategy<CertificateSigningRequest>({
    ...main,
    resetFields: [["spec"], ["status", "conditions"]],
    prepareForUpdate({ now }, object, old) {
      object.spec = old.spec;
      keepConditions(object, old, "Approved");
      keepConditions(object, old, "Denied");
      setConditionTimes(object, old, now);
    },
    validateUpdate: (_context, object, old) => validateSigningRequestUpdate(object, old, "status", rules),
  });
  return { main, approval, status };
}

/** Restores the decision. Validation refuses decisions that were added or removed. */
function keepConditions(
  object: CertificateSigningRequest,
  old: CertificateSigningRequest,
  type: string,
): void {
  const conditions = object.status.conditions ?? [];
  const oldOnes = (old.status.conditions ?? []).filter((condition) => condition.type === type);
  const places = [...conditions.keys()].filter((index) => conditions[index]?.type === type);
  if (places.length !== oldOnes.length) return;
  for (const [nth, condition] of oldOnes.entries()) conditions[places[nth] ?? 0] = condition;
}

function setConditionTimes(
  object: CertificateSigningRequest,
  old: CertificateSigningRequest,
  now: Date,
): void {
  const text = formatTime(Math.floor(now.getTime() / 1000));
  const transitionTimes = new Map<string, string>();
  for (const condition of old.status.conditions ?? []) {
    const { lastTransitionTime } = condition;
    const key = transitionKey(condition);
    if (lastTransitionTime !== undefined && !transitionTimes.has(key)) {
      transitionTimes.set(key, lastTransitionTime);
    }
  }
  for (const condition of object.status.conditions ?? []) {
    condition.lastUpdateTime ??= text;
    condition.lastTransitionTime ??= transitionTimes.get(transitionKey(condition)) ?? text;
  }
}

function transitionKey({ type, status }: CertificateSigningRequestCondition): string {
  return JSON.stringify([type, status]);
}

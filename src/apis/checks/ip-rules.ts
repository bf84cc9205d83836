import type { IpRules } from "../../apimachinery/validation/ip-fields.js";
import type { ApiContext } from "../definition/api-context.js";

/** How fields that are older than the strict forms are checked. */
export function ipRules({ level, isEnabled }: Pick<ApiContext, "level" | "isEnabled">): IpRules {
  return { level, strict: isEnabled("StrictIPCIDRValidation") };
}

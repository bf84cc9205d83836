import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { TypeMeta } from "../../apimachinery/schema/codec.js";
import type { BodyParser } from "./parse-body.js";

/** What reading a body depends on, besides the request. */
export interface BodySettings {
  /** Chooses the words in which a body is refused. */
  readonly level: ApiLevel;
  readonly bodyParser: BodyParser;
  /** Whether unknown and duplicate fields are checked by default. */
  readonly serverSideFieldValidation: boolean;
  /** The gate was turned off explicitly, so the request's parameter is ignored too. */
  readonly ignoresFieldValidation: boolean;
  /** Kinds that this server knows, served or not. They decide the error for a body of another kind. */
  readonly isKnownType: (type: TypeMeta) => boolean;
}

import {
  type FieldError,
  FieldPath,
  notSupported,
  required,
} from "../../../apimachinery/errors/field-error.js";
import type { Binding } from "../../gen/core-v1.js";

export function validateBinding(binding: Binding): FieldError[] {
  const errors: FieldError[] = [];
  const { kind = "", name = "" } = binding.target;
  if (kind !== "" && kind !== "Node") {
    errors.push(notSupported(FieldPath.of("target", "kind"), kind, ["Node", "<empty>"]));
  }
  if (name === "") errors.push(required(FieldPath.of("target", "name"), ""));
  return errors;
}

/** Text that is not YAML, or has no JSON form. */
export class YamlSyntaxError extends Error {
  override readonly name = "YamlSyntaxError";
}

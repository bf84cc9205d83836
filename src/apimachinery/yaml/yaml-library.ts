/**
 * The parts of the YAML library in use. It takes 40 ms to load: import this file only when there is YAML to read or write. (The
 * bundler gives a CommonJS library its named exports only through a static import.)
 */
export {
  Composer,
  Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  Parser,
  type Tags,
  visit,
} from "yaml";

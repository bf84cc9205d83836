/** Loaded when the first object is opened: the editor and the YAML parser. */
export { openEditor, showDifference, type YamlEditor } from "./editor.ts";
export { parseExactly, parseYaml, printYaml, shownObject } from "./yaml-text.ts";

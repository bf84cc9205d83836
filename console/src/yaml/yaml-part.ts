/** What is loaded with the first object that is opened: the editor and the YAML parser. */
export { openEditor, showDifference, type YamlEditor } from "./editor.ts";
export { parseExactly, parseYaml, printYaml, shownObject } from "./yaml-text.ts";

/** The dialogs with a code editor: one part, loaded when the first of them is opened. */
export { default as EditorDialog } from "./editor/editor-dialog.tsx";
export { default as JoltDialog } from "./editor/jolt-dialog.tsx";
export { default as DatasetJsonDialog } from "./dataset-form/dataset-json-dialog.tsx";

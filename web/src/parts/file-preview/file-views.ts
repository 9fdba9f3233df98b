/** The views of files that need no large library: one part of the application, loaded with the first preview. */
export { CsvView } from "./csv-view.tsx";
export { ImageView } from "./image-view.tsx";
export { JsonView } from "./json-view.tsx";
export { MarkdownView } from "./markdown-view.tsx";
export { NotebookView } from "./notebook-view.tsx";
export { TextFileView } from "./text-view.tsx";
export { VideoView } from "./video-view.tsx";
export { ZipView } from "./zip-view.tsx";

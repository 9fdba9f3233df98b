/** The views of files that need no large library: one part of the application, loaded with the first preview. */
export { CsvView } from "./csv/csv-view.tsx";
export { ImageView } from "./media/image-view.tsx";
export { JsonView } from "./json/json-view.tsx";
export { MarkdownView } from "./text/markdown-view.tsx";
export { NotebookView } from "./notebook/notebook-view.tsx";
export { TextFileView } from "./text/text-view.tsx";
export { VideoView } from "./media/video-view.tsx";
export { ZipView } from "./zip/zip-view.tsx";

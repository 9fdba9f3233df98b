import { Markdown } from "#parts/markdown/markdown.tsx";
import { LoadingRows } from "#ui/states.tsx";
import { partNote } from "../part-note.ts";
import type { ViewProps } from "../preview-type.ts";
import { loadText } from "./text-view.tsx";
import { useFile } from "../use-file.ts";
import { ViewFrame } from "../view-frame.tsx";
import classes from "../file-preview.module.css";

/** A Markdown file; of a large one the beginning. */
export function MarkdownView(props: ViewProps) {
  const text = useFile(props, loadText);
  if (text === null) return <LoadingRows label="Loading preview" />;
  return (
    <ViewFrame summary="" note={partNote(props.file)}>
      <div className={classes["prose"]}>
        <Markdown text={text} />
      </div>
    </ViewFrame>
  );
}

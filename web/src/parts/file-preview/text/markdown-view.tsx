import { Markdown } from "#parts/markdown/markdown.tsx";
import { LoadingRows } from "#ui/states.tsx";
import { partNote } from "../part-note.ts";
import type { ViewProps } from "../preview-type.ts";
import { loadText, TextView } from "./text-view.tsx";
import { useFile } from "../use-file.ts";
import { ViewFrame } from "../view-frame.tsx";
import classes from "../file-preview.module.css";

/** Elements are not drawn in part: a longer text would make hundreds of thousands of them. */
const maxCharacters = 200_000;

/** A Markdown file; a long one, or the beginning of a large one, as it is written. */
export function MarkdownView(props: ViewProps) {
  const text = useFile(props, loadText);
  if (text === null) return <LoadingRows label="Loading preview" />;
  if (text.length > maxCharacters) {
    const reason = `Shown as written: it has more than ${maxCharacters.toLocaleString("en-US")} characters.`;
    return <TextView text={text} note={partNote(props.file) ?? reason} />;
  }
  return (
    <ViewFrame summary="">
      <div className={classes["prose"]}>
        <Markdown text={text} />
      </div>
    </ViewFrame>
  );
}

import { Markdown } from "#parts/markdown/markdown.tsx";
import classes from "./descriptions.module.css";

/** A description, rendered from Markdown. What matches `find` is highlighted. */
export function DescriptionText({ text, find = null }: { text: string; find?: RegExp | null }) {
  return text === "" ? (
    <span className={classes["none"]} data-empty>
      None
    </span>
  ) : (
    <Markdown text={text} find={find} />
  );
}

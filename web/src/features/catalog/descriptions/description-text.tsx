import { Markdown } from "#parts/markdown/markdown.tsx";
import { lazyPart } from "#ui/lazy-part.tsx";
import classes from "./description-field.module.css";

/** Loaded lazily, because most visits only read. */
export const DescriptionField = lazyPart(() => import("./description-field.tsx"));

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

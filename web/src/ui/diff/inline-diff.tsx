import { useMemo } from "react";
import classes from "./diff.module.css";
import { wordDiff } from "./line-diff.ts";

/** A text in which the words that `before` lacks are highlighted, and those that it has instead are struck out. */
export function InlineDiff({ before, after }: { before: string; after: string }) {
  const parts = useMemo(() => wordDiff(before, after), [before, after]);
  return (
    <p className={classes["inline"]}>
      {/* Without a text before, everything is new. */}
      {before === ""
        ? after
        : parts.map(({ only, text }, index) => {
            // Parts have no identity other than their index.
            // oxlint-disable-next-line react/no-array-index-key
            if (only === null) return <span key={index}>{text}</span>;
            // oxlint-disable-next-line react/no-array-index-key
            return only === "after" ? <ins key={index}>{text}</ins> : <del key={index}>{text}</del>;
          })}
    </p>
  );
}

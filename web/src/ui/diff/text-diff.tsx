import { plural } from "@fairway/contract/counts";
import { Flex } from "@mantine/core";
import { useMemo } from "react";
import { type ChangedPart, changedParts, lineDiff, collapseUnchanged } from "./line-diff.ts";
import classes from "./diff.module.css";

interface TextDiffProps {
  label: string;
  /** The names of both sides, unless the page says them already. */
  names?: readonly [before: string, after: string];
  before: string;
  after: string;
}

function highlight(text: string, part: ChangedPart | undefined) {
  if (!part) return text;
  const [from, to] = part;
  return (
    <>
      {text.slice(0, from)}
      <mark>{text.slice(from, to)}</mark>
      {text.slice(to)}
    </>
  );
}

export function DiffNames({ names: [before, after] }: { names: readonly [before: string, after: string] }) {
  return (
    <p className={classes["names"]}>
      <span className={classes["removed"]}>− {before}</span>
      <span className={classes["added"]}>+ {after}</span>
    </p>
  );
}

/** A line diff of two texts: removed lines in rose, added lines in blue. */
export function TextDiff({ label, names, before, after }: TextDiffProps) {
  const [lines, parts] = useMemo(() => {
    const all = lineDiff(before, after);
    return [collapseUnchanged(all), changedParts(all)];
  }, [before, after]);
  const isSame = lines.every((line) => "skipped" in line);
  return (
    <Flex component="section" gap="sm" direction="column" mih={0} aria-label={label}>
      {names && <DiffNames names={names} />}
      {isSame ? (
        <p className={classes["same"]}>Both are the same.</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard
        <div className={classes["lines"]} tabIndex={0} role="region" aria-label={`${label}, lines`}>
          {lines.map((line) =>
            "skipped" in line ? (
              <div key={`from ${line.from}`} className={classes["skipped"]}>
                {`${line.skipped} unchanged ${plural(line.skipped, "line")}`}
              </div>
            ) : (
              <div
                key={`${line.before} ${line.after}`}
                className={line.before === null ? classes["added"] : line.after === null ? classes["removed"] : ""}
              >
                <span className={classes["sign"]} aria-hidden>
                  {line.before === null ? "+" : line.after === null ? "−" : " "}
                </span>
                {line.before === null && <ins>{highlight(line.text, parts.get(line))}</ins>}
                {line.after === null && <del>{highlight(line.text, parts.get(line))}</del>}
                {line.before !== null && line.after !== null && <span>{line.text}</span>}
              </div>
            ),
          )}
        </div>
      )}
    </Flex>
  );
}

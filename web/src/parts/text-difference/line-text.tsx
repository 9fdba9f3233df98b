import { Fragment, memo, useState } from "react";
import { changedRanges, firstDifference } from "./changed-ranges.ts";
import { type LinePart, type TextRange, lineParts } from "./line-parts.ts";
import { lineTokens, type Syntax } from "./syntax.ts";
import classes from "./text-difference.module.css";

/** Characters of a longer line that are drawn at first, and before what matters in it. */
const maxShown = 1_000;
const contextLength = 100;
const shownMore = 10_000;

interface LineTextProps {
  text: string;
  /** The line that it replaces or is replaced by; null for a line without counterpart. */
  counterpart: string | null;
  syntax: Syntax;
  find: RegExp | null;
  /** The offset of the current match; -1 if it is elsewhere. */
  currentMatch: number;
}

/** A line with its colors. Of a long one, the beginning, or the surroundings of its first change or of the current match. */
export const LineText = memo(function LineText({ text, counterpart, syntax, find, currentMatch }: LineTextProps) {
  const [more, setMore] = useState({ before: 0, after: 0 });
  const isLong = text.length > maxShown;
  const position = !isLong ? 0 : currentMatch >= 0 ? currentMatch : counterpart === null ? 0 : firstDifference(text, counterpart);
  const first = position < maxShown - contextLength ? 0 : Math.min(position, text.length) - contextLength;
  const from = isLong ? Math.max(0, first - more.before) : 0;
  const to = isLong ? Math.min(text.length, first + maxShown + more.after) : text.length;
  const shown = text.slice(from, to);
  const parts = lineParts(shown, {
    tokens: lineTokens(shown.slice(0, maxShown * 2), syntax),
    changed: counterpart === null ? [] : shifted(changedRanges(text, counterpart), from),
    matches: find ? [...shown.matchAll(find)].map((match): TextRange => [match.index, match.index + match[0].length]) : [],
  });
  return (
    <>
      {from > 0 && <MoreButton count={from} where="before" onClick={() => setMore({ ...more, before: more.before + shownMore })} />}
      <code>
        {marked(parts).map((group, index) => {
          const pieces = group.map((part, piece) => (
            // Parts have no identity other than their index.
            // oxlint-disable-next-line react/no-array-index-key
            <Part key={piece} part={part} />
          ));
          const match = group[0]?.match ?? -1;
          // oxlint-disable-next-line react/no-array-index-key
          if (match < 0) return <Fragment key={index}>{pieces}</Fragment>;
          return (
            // oxlint-disable-next-line react/no-array-index-key
            <mark key={index} {...(match + from === currentMatch ? { "data-current": true } : {})}>
              {pieces}
            </mark>
          );
        })}
      </code>
      {to < text.length && (
        <MoreButton count={text.length - to} where="after" onClick={() => setMore({ ...more, after: more.after + shownMore })} />
      )}
    </>
  );
});

const shifted = (ranges: readonly TextRange[], by: number): TextRange[] =>
  ranges.map(([from, to]): TextRange => [from - by, to - by]).filter(([, to]) => to > 0);

/** Neighbors of the same match, or without one, together. */
function marked(parts: readonly LinePart[]): LinePart[][] {
  const groups: LinePart[][] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (last?.[0]?.match === part.match) last.push(part);
    else groups.push([part]);
  }
  return groups;
}

function Part({ part: { text, token, isChanged, codes } }: { part: LinePart }) {
  const change = isChanged ? { "data-changed": true } : {};
  if (codes !== "") {
    return (
      <span className={classes["invisible"]} {...change} title="Invisible characters">
        {codes}
      </span>
    );
  }
  if (token === null && !isChanged) return text;
  return (
    <span {...(token === null ? {} : { "data-token": token })} {...change}>
      {text}
    </span>
  );
}

function MoreButton({ count, where, onClick }: { count: number; where: "before" | "after"; onClick: () => void }) {
  const characters = `${count.toLocaleString("en-US")} more characters ${where}`;
  return (
    <button type="button" className={classes["more"]} aria-label={`Show more, ${characters}`} title={characters} onClick={onClick}>
      {where === "before" ? "… show more" : "show more …"}
    </button>
  );
}

import type { CatalogMatch } from "@fairway/contract/catalog";

/** A text whose matching parts are highlighted. */
export function MarkedText({ text, ranges }: Pick<CatalogMatch, "text" | "ranges">) {
  return ranges.map(({ start, end }, index) => (
    // Parts have no identity other than their index.
    // oxlint-disable-next-line react/no-array-index-key
    <span key={index}>
      {text.slice(index === 0 ? 0 : ranges[index - 1]?.end, start)}
      <mark>{text.slice(start, end)}</mark>
      {index === ranges.length - 1 && text.slice(end)}
    </span>
  ));
}

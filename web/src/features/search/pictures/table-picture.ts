import { type PictureLook, textWidths } from "./picture-foot.ts";
import { svgElement } from "./svg-picture.ts";

/** A cell of a table that is drawn. */
export interface DrawnCell {
  text: string;
  /** From 0 to 1, of the width of its column, before the text. */
  bar?: { from: number; to: number } | undefined;
  /** A color, and how much of it covers the background, from 0 to 1. */
  shade?: { color: string; opacity: number } | undefined;
  isEmphasized?: boolean;
}

/** The first cell of each line is its head. */
export interface DrawnTable {
  title: string;
  heads: readonly string[];
  lines: readonly (readonly DrawnCell[])[];
  /** The color of bars. */
  barColor: string;
}

const [padPx, rowPx, titlePx, barPx, gapPx] = [16, 26, 48, 280, 20] as const;
const leastWidthPx = 640;
const longestHeadPx = 320;

/** Draws a table with its title. Texts that are too long for a column end with an ellipsis. */
export function tablePicture(
  { title, heads, lines, barColor }: DrawnTable,
  theme: PictureLook,
): { content: Element; width: number; height: number } {
  // As bold as the widest text of a column may be.
  const measured = textWidths(`600 12px ${theme.font}`);
  const widthOf = (text: string): number => Math.ceil(measured(text));
  const shortened = (text: string, most: number): string => {
    if (widthOf(text) <= most) return text;
    const characters = Array.from(text);
    while (characters.length > 0 && widthOf(`${characters.join("")}…`) > most) characters.pop();
    return `${characters.join("")}…`;
  };
  const hasBar = (column: number): boolean => lines.some((line) => line[column]?.bar !== undefined);
  const widths = heads.map((head, column) => {
    const texts = Math.min(longestHeadPx, Math.max(widthOf(head), ...lines.map((line) => widthOf(line[column]?.text ?? ""))));
    return texts + gapPx + (hasBar(column) ? barPx : 0);
  });
  const lefts = widths.map((_, column) => padPx + widths.slice(0, column).reduce((sum, width) => sum + width, 0));
  const width = Math.max(leastWidthPx, widthOf(title) + 2 * padPx, padPx * 2 + widths.reduce((sum, one) => sum + one, 0));
  const height = titlePx + (lines.length + 1) * rowPx + 8;
  const content = svgElement("g", { "font-family": theme.font, "font-size": 12, "dominant-baseline": "central", fill: theme.text });
  content.append(svgElement("text", { x: padPx, y: 24, "font-size": 14, "font-weight": 600 }, title));

  const write = (text: string, column: number, y: number, look: Record<string, string | number>) => {
    const [left = 0, columnWidth = 0] = [lefts[column], widths[column]];
    const place: Record<string, string | number> = column === 0 ? { x: left } : { x: left + columnWidth - gapPx / 2, "text-anchor": "end" };
    content.append(svgElement("text", { ...place, y, ...look }, shortened(text, longestHeadPx)));
  };
  const line = (y: number) => svgElement("line", { x1: padPx, x2: width - padPx, y1: y, y2: y, stroke: theme.line });
  for (const [column, head] of heads.entries()) write(head, column, titlePx + rowPx / 2, { fill: theme.mutedText });
  content.append(line(titlePx + rowPx));
  for (const [index, cells] of lines.entries()) {
    const top = titlePx + (index + 1) * rowPx;
    for (const [column, { text, bar, shade, isEmphasized }] of cells.entries()) {
      const [left = 0, columnWidth = 0] = [lefts[column], widths[column]];
      if (shade)
        content.append(
          svgElement("rect", {
            x: left + 1,
            y: top + 1,
            width: columnWidth - 2,
            height: rowPx - 2,
            rx: 3,
            fill: shade.color,
            "fill-opacity": shade.opacity,
          }),
        );
      if (bar)
        content.append(
          svgElement("rect", {
            x: left + bar.from * barPx,
            y: top + 7,
            width: Math.max(1, (bar.to - bar.from) * barPx),
            height: rowPx - 14,
            rx: 2,
            fill: barColor,
          }),
        );
      write(text, column, top + rowPx / 2, isEmphasized ? { "font-weight": 600 } : {});
    }
  }
  return { content, width, height };
}

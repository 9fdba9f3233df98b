import { palette } from "@fairway/contract/charts/graph-colors";
import type { SummaryTable, TableCell } from "@fairway/contract/charts/summary-table";
import { escapeHtml } from "#http/escape-html.ts";
import { cellElement, element, look, tableElement } from "./message-styles.ts";

const barPx = 140;
const [blue, orange] = palette.map(({ color }) => color);

/** Figures as HTML, with the bars and shades that they have on the screen. */
export function figuresTable({ heads, lines, note }: SummaryTable): string {
  const hasBar = heads.map((_, column) => lines.some((cells) => cells[column]?.bar !== undefined));
  const head = heads
    .map((text, column) =>
      cellElement("th", "head", text, { isRight: column > 0, attributes: hasBar[column] === true ? ' colspan="2"' : "" }),
    )
    .join("");
  const rows = lines.map((cells) =>
    cells.map((cell, column) => (hasBar[column] === true ? barCell(cell) : "") + textCell(cell, column)).join(""),
  );
  return tableElement(head, rows) + (note === null ? "" : element("p", "quiet", escapeHtml(note)));
}

function textCell({ text, shade, isEmphasized = false }: TableCell, column: number): string {
  const content = isEmphasized ? `<strong>${escapeHtml(text)}</strong>` : escapeHtml(text);
  const isRight = column > 0;
  if (shade === undefined) return cellElement("td", "cell", text, { isRight, content });
  const color = mixed((shade.hue === "up" ? orange : blue) ?? "#000000", shade.percent);
  return cellElement("td", "shaded", text, { isRight, content, attributes: ` bgcolor="${color}"` });
}

function barCell({ bar }: TableCell): string {
  if (bar === undefined) return `<td ${look("bar")}></td>`;
  const [left, width] = [bar.from, bar.to - bar.from].map((part) => Math.round(part * barPx));
  const drawn = `margin-left:${left}px;width:${Math.max(1, width ?? 0)}px;height:10px;border-radius:2px;background:${blue}`;
  return `<td ${look("bar")}><div style="${drawn}"></div></td>`;
}

/** So many percent of a color on white. */
const mixed = (color: string, percent: number): string =>
  `#${[1, 3, 5]
    .map((at) => Math.round(255 + ((Number.parseInt(color.slice(at, at + 2), 16) - 255) * percent) / 100))
    .map((channel) => channel.toString(16).padStart(2, "0"))
    .join("")}`;

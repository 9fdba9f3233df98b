import type { BreakdownAnswer } from "@fairway/contract/breakdowns";
import type { Column } from "@fairway/contract/columns";
import { formatCount } from "@fairway/contract/counts";
import { safeFileName } from "@fairway/contract/file-names";
import { readChartTheme } from "#features/search/graphs/chart/chart-theme.ts";
import { renderPicture } from "#features/search/graphs/chart/engine.ts";
import { chartOption, titleOption } from "@fairway/contract/charts/option";
import { pictureFoot } from "#features/search/pictures/picture-foot.ts";
import { rasterized, svgBlob, svgPicture } from "#features/search/pictures/svg-picture.ts";
import { type DrawnCell, type DrawnTable, tablePicture } from "#features/search/pictures/table-picture.ts";
import { downloadBlob } from "#lib/browser/download.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { mostBars, pictureOf, styleOf } from "@fairway/contract/charts/chart-model";
import { type ChartKind, chartOf, isPicture, stepsOf } from "@fairway/contract/charts/chart-kinds";
import { figureNumber, figureText, fullFigureText } from "@fairway/contract/charts/figures";
import { groupingName, measureLabel } from "@fairway/contract/charts/measure-wording";
import { scatterOption } from "@fairway/contract/charts/scatter";
import { sentenceOf } from "@fairway/contract/charts/sentence";
import { shadeOf, shadesOf } from "@fairway/contract/charts/shades";
import type { StoredSummary } from "./model/summary.ts";
import { barOf, barScale, headsOf, pivotCells, pivotRows, rowsOf } from "@fairway/contract/charts/table-rows";

/** Wider tables are drawn with so many columns. */
const mostColumns = 60;

interface Drawn {
  record: SearchRecord;
  summary: StoredSummary;
  title: string;
  answer: BreakdownAnswer;
}

/** Saves a summary as `dataset_title`: its chart, or its table where that is the chart, with what it says and its search below. */
export async function downloadSummary({ record, summary, title, answer }: Drawn, format: "png" | "svg"): Promise<void> {
  const { schema, datasetId } = record.datasetDescription;
  const { breakdown } = summary;
  const kind = chartOf(summary.chart, breakdown, stepsOf(answer));
  const theme = readChartTheme(document.documentElement);
  const drawn = isPicture(kind) ? pictureOf(breakdown, answer, schema.columns, kind) : null;
  const table = drawn === null ? tableOf(summary, title, answer, schema.columns, kind) : null;
  const note = drawn?.note ?? table?.note ?? null;
  const foot = [sentenceOf(breakdown, answer), ...(note === null ? [] : [note]), ...pictureFoot(record)];
  const save = (blob: Blob) => downloadBlob(blob, safeFileName(`${datasetId}_${title}.${format}`));
  if (drawn !== null) {
    const { model, hidden } = drawn;
    const labels = breakdown.measures.map(measureLabel);
    const option =
      kind === "scatter"
        ? {
            ...scatterOption({ answer, groups: model.groups, labels, theme, description: title }),
            ...titleOption(title, theme),
          }
        : chartOption(styleOf(summary, kind), model, { theme, description: title, hidden: new Set(hidden), standalone: { title } });
    save(await renderPicture(option, format, foot, theme));
  } else if (table !== null) {
    const { content, ...size } = tablePicture(table, theme);
    const picture = svgPicture(content, size, foot, theme);
    save(format === "svg" ? svgBlob(picture.svg) : await rasterized(picture));
  }
}

type TableOfSummary = DrawnTable & { note: string | null };

function tableOf(
  { breakdown }: StoredSummary,
  title: string,
  answer: BreakdownAnswer,
  columns: readonly Column[],
  kind: ChartKind,
): TableOfSummary {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  const labels = breakdown.measures.map((measure, index) => {
    const unit = answer.measures[index]?.unit ?? null;
    return `${measureLabel(measure)}${unit === null || unit === "%" ? "" : ` (${unit})`}`;
  });
  const [first, second] = answer.by;
  const name = (breakdown.by ?? []).map(groupingName).join(" by ");
  const barColor = color("--c1");
  const common = { title, barColor };
  const total = answer.totals?.all.values;
  if (first === undefined) {
    const values = answer.cells[0]?.values ?? [];
    const lines = answer.measures.map((measure, index) => [
      { text: labels[index] ?? "" },
      { text: fullFigureText(values[index], measure) },
    ]);
    return { ...common, heads: ["Figure", "All rows"], lines, note: null };
  }
  if (second === undefined) {
    const rows = rowsOf(answer, columns);
    const scale = barScale(rows);
    const barFor = (value: number | null) => (kind !== "bars" || value === null ? undefined : barOf(value, scale));
    const lines = rows.slice(0, mostBars).map(({ label, values }) =>
      line(
        label,
        answer.measures.map((measure, index) => ({
          text: figureText(values[index], measure),
          bar: index === 0 ? barFor(figureNumber(values[index])) : undefined,
        })),
      ),
    );
    const all = total ? [[strong("All rows"), ...answer.measures.map((measure, index) => strong(figureText(total[index], measure)))]] : [];
    return { ...common, heads: [name, ...labels], lines: [...lines, ...all], note: cutNote(rows.length, mostBars, "groups") };
  }
  const measure = answer.measures[0];
  const across = answer.by.at(-1);
  if (!measure || !across) return { ...common, heads: [name], lines: [], note: null };
  const cells = pivotCells(answer);
  const shades = shadesOf(answer, 0);
  const hues = { up: color("--c2"), down: color("--c1") };
  const heads = headsOf(across, columns);
  const blocks = pivotRows(answer, columns);
  const rows = blocks.flatMap(({ head, rows: inBlock }) =>
    inBlock.map((row) => ({ ...row, label: head === null ? row.label : `${head.label} · ${row.label}` })),
  );
  const drawnHeads = heads.slice(0, mostColumns);
  const lines = rows.slice(0, mostBars).map(({ label, at }) =>
    line(
      label,
      drawnHeads.map(({ place }) => {
        const value = cells.get([...at, place].join())?.values[0];
        const shade = kind === "heatmap" ? shadeOf(figureNumber(value), shades) : null;
        return {
          text: figureText(value, measure),
          shade: shade === null ? undefined : { color: hues[shade.hue], opacity: shade.percent / 100 },
        };
      }),
    ),
  );
  const notes = [cutNote(rows.length, mostBars, "rows"), cutNote(heads.length, mostColumns, "columns")].filter((note) => note !== null);
  return {
    ...common,
    heads: [name, ...drawnHeads.map(({ label }) => label)],
    lines,
    note: [`${labels[0] ?? ""} in each cell.`, ...notes].join(" "),
  };
}

const line = (head: string, cells: readonly DrawnCell[]): DrawnCell[] => [{ text: head }, ...cells];

const strong = (text: string): DrawnCell => ({ text, isEmphasized: true });

const cutNote = (all: number, most: number, of: string): string | null =>
  all <= most ? null : `The first ${formatCount(most)} of ${formatCount(all)} ${of} are drawn.`;

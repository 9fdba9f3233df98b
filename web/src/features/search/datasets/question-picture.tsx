import type { StartQuestion } from "@fairway/contract/start-page";
import type { ViewMode } from "@fairway/contract/search-address";
import { IconBraces } from "#ui/icons/braces.ts";
import { IconChartBar } from "#ui/icons/chart-bar.ts";
import { IconMap } from "#ui/icons/map.ts";
import { IconTable } from "#ui/icons/table.ts";
import { useQuery } from "@tanstack/react-query";
import { alignsRight, cellText } from "#lib/text/cell-text.ts";
import { useResultZone } from "#lib/time/result-zone.ts";
import { RowsChart } from "#parts/dataset-profile/rows-chart.tsx";
import { SmallMap } from "#parts/dataset-profile/small-map.tsx";
import type { AddressedSearch } from "#parts/search-model/search-address.ts";
import { type QuestionAnswer, questionAnswerQuery } from "./question-answer.ts";
import classes from "./datasets.module.css";

const viewIcons: Readonly<Record<ViewMode, typeof IconTable>> = { table: IconTable, raw: IconBraces, map: IconMap, graphs: IconChartBar };

/** The answer to a question, drawn small from its own rows; an icon of its view if there is nothing to draw. */
export default function QuestionPicture({ question, addressed }: { question: StartQuestion; addressed: AddressedSearch }) {
  const { data: answer, isPending } = useQuery(questionAnswerQuery(question, addressed));
  if (isPending) return null;
  const Icon = viewIcons[addressed.viewMode];
  return answer ? <AnswerPicture question={question} answer={answer} /> : <Icon size={24} stroke={1.25} className={classes["icon"]} />;
}

function AnswerPicture({ question, answer }: { question: StartQuestion; answer: QuestionAnswer }) {
  switch (answer.kind) {
    case "map":
      return (
        <SmallMap
          positions={answer.lines.flatMap((line) => line.slice(-1))}
          lines={answer.lines.filter((line) => line.length > 1)}
          showsAll
        />
      );
    case "graph":
      return <RowsChart rows={answer.rows} isLine={question.graph?.type === "line"} />;
    case "table":
      return <SmallTable {...answer} />;
    default:
      return answer satisfies never;
  }
}

function SmallTable({ columns, rows }: Extract<QuestionAnswer, { kind: "table" }>) {
  const zone = useResultZone();
  const [first, ...others] = columns;
  const template = first && alignsRight(first) ? "auto" : "minmax(0, 2fr)";
  return (
    <span className={classes["table"]} style={{ gridTemplateColumns: [template, ...others.map(() => "minmax(0, 1fr)")].join(" ") }}>
      {columns.map((column) => (
        <b key={column.name} data-number={alignsRight(column) || undefined}>
          {column.name}
        </b>
      ))}
      {rows.flatMap((row, index) =>
        columns.map((column) => (
          // oxlint-disable-next-line react/no-array-index-key -- rows never move
          <span key={`${index} ${column.name}`} data-number={alignsRight(column) || undefined}>
            {cellText(column, row, zone) ?? ""}
          </span>
        )),
      )}
    </span>
  );
}

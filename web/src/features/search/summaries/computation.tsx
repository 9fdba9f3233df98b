import { passesRole } from "@fairway/contract/access";
import { type BreakdownAnswer, breakdowns } from "@fairway/contract/breakdowns";
import { formatCount, formatList } from "@fairway/contract/counts";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { flushSync } from "react-dom";
import { call } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { utcText } from "@fairway/contract/utc-texts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { countDataOf } from "#parts/search-model/search-data.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { toastError } from "#ui/toast/toast.ts";
import { labelOfId } from "@fairway/contract/charts/measure-wording";
import type { Asked } from "@fairway/contract/charts/asked";
import { measuresCoarseValues } from "./model/measures-coarse-values.ts";
import { summaryQuery } from "./summary-query.ts";
import classes from "./summaries.module.css";

interface Props {
  record: SearchRecord;
  asked: Asked;
  answer: BreakdownAnswer;
}

/** How the figures of a summary were computed and when, to be computed again. Administrators also see the statements. */
export function Computation({ record, asked, answer }: Props) {
  const { roles } = useCurrentUser();
  const [isOpen, setOpen] = useState(false);
  const estimates = answer.measures.filter(({ isEstimate }) => isEstimate).map(({ id }) => labelOfId(asked, id));
  const isCoarse = measuresCoarseValues(asked, record.datasetDescription);
  const hasZone = answer.by.some(({ kind }) => kind === "time" || kind === "part");
  const facts: [string, string][] = [
    ["Rows", formatCount(answer.rows)],
    ...answer.by.map(({ id, found }): [string, string] => [`Groups of ${id}`, formatCount(found)]),
    ["Figures", estimates.length > 0 ? `Estimates: ${formatList(estimates)}` : isCoarse ? "Made of coarse values" : "Exact"],
    ...(hasZone ? [["Time zone data", answer.zoneData] satisfies [string, string]] : []),
    ["Engine", answer.engine],
    ["Computed", `${utcText(answer.computedMs) ?? ""} UTC, in ${formatCount(answer.durationMs)} ms`],
  ];
  return (
    <details
      className={classes["computation"]}
      onToggle={(event) => {
        const { open } = event.currentTarget;
        flushSync(() => setOpen(open));
        // Most often it is at the end of the view.
        if (open) event.currentTarget.scrollIntoView({ block: "nearest" });
      }}
    >
      <summary>How this was computed</summary>
      {isOpen && (
        <>
          <dl>
            {facts.map(([name, text]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
          <Refresh record={record} asked={asked} />
          {passesRole(roles, "admin") && <Statements record={record} asked={asked} />}
        </>
      )}
    </details>
  );
}

const paramsOf = ({ datasetDescription: { category, datasetId } }: SearchRecord) => ({ category: category.id, datasetId });

/** Computes the answer anew, not from what the gateway keeps. */
function Refresh({ record, asked }: Omit<Props, "answer">) {
  const client = useQueryClient();
  const [isRunning, setRunning] = useState(false);
  const refresh = async () => {
    setRunning(true);
    try {
      const body = { ...asked, search: countDataOf(record), totals: true, fresh: true };
      client.setQueryData(summaryQuery(record, asked).queryKey, await call(breakdowns.run, { params: paramsOf(record), body }));
    } catch (error) {
      toastError("Not refreshed", messagesOf(error).join(" "));
    } finally {
      setRunning(false);
    }
  };
  return (
    <Button size="compact-sm" variant="default" loading={isRunning} onClick={() => void refresh()}>
      Refresh
    </Button>
  );
}

function Statements({ record, asked }: Omit<Props, "answer">) {
  const params = paramsOf(record);
  const body = { ...asked, search: countDataOf(record), totals: true };
  const { data, error } = useQuery({
    queryKey: ["breakdown statements", params, body],
    queryFn: ({ signal }) => call(breakdowns.explain, { params, body }, { signal }),
    retry: false,
  });
  if (error !== null) return <p role="alert">{messagesOf(error).join(" ")}</p>;
  return data?.statements.map(({ sql }) => (
    <pre key={sql} className={classes["statement"]}>
      {sql}
    </pre>
  ));
}

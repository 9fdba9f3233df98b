import type { MainIteration } from "@fairway/contract/flow-requests";
import { NativeSelect, SegmentedControl } from "@mantine/core";
import { IconDownload } from "#ui/icons/download.ts";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { downloadBlob } from "#lib/browser/download.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { toastError } from "#ui/toast/toast.ts";
import { FlowTime } from "../flow-time.tsx";
import { AcceptedText } from "./accepted-text.tsx";
import { flowFileName, iterationName } from "./iteration-name.ts";
import { contentQuery } from "./history-queries.ts";
import { historyView, historySearch, neighborOf, type HistoryView } from "./history-view.ts";
import classes from "./history.module.css";

interface Props {
  /** Newest first. */
  history: readonly [MainIteration, ...MainIteration[]];
  group: string;
  flow: { id: number; name: string };
}

/** The accepted iterations on the left, and the content of one or the differences of two. What is shown is in the address. */
export function History({ history, group, flow }: Props) {
  const view = historyView(history, useSearch({ strict: false }));
  const { shown, base } = view;
  const navigate = useNavigate();
  const setView = (next: HistoryView) => void navigate({ to: ".", search: historySearch(next) });
  const neighbor = neighborOf(history, shown);
  const tools = (
    <div className={classes["choice"]}>
      {base && (
        <NativeSelect
          aria-label="Compare with"
          data={history.filter((one) => one !== shown).map((one) => ({ value: String(one.iteration.id), label: iterationName(one) }))}
          value={String(base.iteration.id)}
          onChange={(event) => {
            const id = event.currentTarget.value;
            setView({ shown, base: history.find((one) => String(one.iteration.id) === id) });
          }}
        />
      )}
      {base && <span aria-hidden>→</span>}
      <Link
        className={classes["shown"]}
        to="/niflow-requests/$groupName/$flowId/$requestId"
        params={{ groupName: group, flowId: String(flow.id), requestId: String(shown.requestId) }}
      >
        {iterationName(shown)}
      </Link>
      <IconButton label="Download" onClick={() => void download(group, flow, shown)}>
        <IconDownload size={16} aria-hidden />
      </IconButton>
    </div>
  );
  return (
    <div className={classes["columns"]}>
      <nav className={classes["side"]} aria-label="Accepted iterations">
        <div className={classes["head"]}>
          <h2>Accepted</h2>
          <SegmentedControl
            aria-label="View"
            size="xs"
            value={base ? "diff" : "single"}
            onChange={(mode) => setView({ shown, base: mode === "diff" ? neighbor : undefined })}
            data={[
              { value: "single", label: "Single" },
              { value: "diff", label: "Diff", disabled: neighbor === undefined },
            ]}
          />
        </div>
        <ul>
          {history.map((one) => (
            <li key={one.iteration.id}>
              <Link
                to="."
                search={historySearch({ shown: one, base: base && neighborOf(history, one) })}
                activeProps={{}}
                aria-current={one === shown ? "true" : undefined}
                className={classes["item"]}
              >
                <b>{one.requestName}</b>
                <small>
                  {`Iteration ${one.iteration.number}, accepted by ${one.acceptedByUsername}, `}
                  <FlowTime epochMs={one.timeMs} />
                </small>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <section className={classes["content"]} aria-label={base ? "Differences" : "Content"}>
        <AcceptedText
          key={`${base?.iteration.id} ${shown.iteration.id}`}
          group={group}
          flowId={flow.id}
          shown={shown}
          base={base}
          tools={tools}
        />
      </section>
    </div>
  );
}

async function download(group: string, { id, name }: Props["flow"], shown: MainIteration): Promise<void> {
  try {
    const content = await queryClient.fetchQuery(contentQuery(group, id, shown));
    downloadBlob(new Blob([content], { type: "application/octet-stream" }), flowFileName(name, shown.iteration));
  } catch (error) {
    toastError("Failed to Load Flow", messagesOf(error).join(" "));
  }
}

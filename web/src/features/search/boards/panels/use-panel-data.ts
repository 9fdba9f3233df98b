import type { TimeDistribution } from "@fairway/contract/distributions";
import { useEffect, useRef, useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { tellChangedAccess } from "#parts/reader-part/changed-access.ts";
import { searchDataOf } from "#parts/search-model/search-data.ts";
import { loadPanel, loadTrend, type PanelData, UnusablePanel } from "./load-panel.ts";
import type { PanelSearch, SearchPanel } from "./panel-search.ts";

/** Data of a panel, or the reason why there are none. While it loads again, `data` are the old ones. */
export interface PanelState {
  data: PanelData | null;
  /** Of a number of rows, once it is loaded; stays until the next one. */
  trend: TimeDistribution | null;
  /** Start of the running load; null while none runs. */
  startedMs: number | null;
  /** Messages of a failure; null unless the last load failed. */
  failure: readonly string[] | null;
  /** Whether another attempt may succeed. */
  canRetry: boolean;
  /** The person stopped it. */
  isCancelled: boolean;
  load: () => void;
  cancel: () => void;
}

const idle = { data: null, trend: null, startedMs: null, failure: null, canRetry: false, isCancelled: false };

/** The parts of a panel besides its search that its calls depend on. */
function asksOf(panel: SearchPanel): unknown {
  if (panel.kind === "map") return [panel.show, panel.tracks, panel.view];
  return "graph" in panel ? panel.graph : "value" in panel ? panel.value : null;
}

/**
 * Loads a panel once it `isWanted`, again when what it asks for changes, and again with each `round` of its board. Leaving the
 * board ends the call. `onLoading` is called when a load starts and ends.
 */
export function usePanelData(
  panel: SearchPanel,
  search: PanelSearch | null,
  { isWanted, round, onLoading }: { isWanted: boolean; round: number; onLoading: (id: string, isLoading: boolean) => void },
): PanelState {
  const [state, setState] = useState<Omit<PanelState, "load" | "cancel">>(idle);
  const [attempt, setAttempt] = useState(0);
  const controller = useRef<AbortController | null>(null);
  const asks = asksOf(panel);
  const { datasetId, access } = search?.record.datasetDescription ?? {};
  // A dataset may get its first rules while the panel is shown.
  const version = search === null ? null : (access?.version ?? "no rules");
  const key = search && JSON.stringify([searchDataOf(search.record), panel.kind, asks, round, attempt, version]);
  const shownVersion = useRef(version);
  useEffect(() => {
    const before = shownVersion.current;
    shownVersion.current = version;
    if (before === null || before === version || datasetId === undefined) return;
    // Rows that the reader may not see any more are not kept until others have come.
    setState(idle);
    tellChangedAccess(datasetId);
  }, [version, datasetId]);
  const latest = useRef({ panel, search, onLoading });
  useEffect(() => {
    latest.current = { panel, search, onLoading };
  });
  const canLoad = isWanted && search !== null && !search.isOutside;
  useEffect(() => {
    if (!canLoad || key === null) return undefined;
    const { panel: wanted, search: asked } = latest.current;
    if (asked === null) return undefined;
    const run = new AbortController();
    controller.current = run;
    setState(({ data, trend }) => ({ ...idle, data, trend, startedMs: Date.now() }));
    latest.current.onLoading(wanted.id, true);
    const settle = (change: Partial<PanelState>) => {
      if (!run.signal.aborted) setState(({ data, trend }) => ({ ...idle, data, trend, ...change }));
    };
    void loadPanel(wanted, asked.record, run.signal)
      .then(
        async (data) => {
          settle({ data });
          settle({ trend: await loadTrend(wanted, asked.record, run.signal) });
        },
        (error: unknown) => settle({ data: null, failure: messagesOf(error), canRetry: !(error instanceof UnusablePanel) }),
      )
      .finally(() => latest.current.onLoading(wanted.id, false));
    return () => run.abort();
  }, [canLoad, key]);
  return {
    ...state,
    load: () => setAttempt((count) => count + 1),
    cancel: () => {
      controller.current?.abort();
      setState(({ data, trend }) => ({ ...idle, data, trend, isCancelled: true }));
    },
  };
}

import type { Fairway } from "../client/index.ts";
import { type Format, writeRows } from "./rows.ts";
import { pagesOf } from "./search.ts";
import type { Terminal } from "./terminal.ts";

export async function listBoards(fairway: Fairway, terminal: Terminal, format: Format): Promise<void> {
  const boards = await fairway.boards({ signal: terminal.signal });
  const rows = boards.map(({ name, id, owner, panels, updatedDateMs }) => ({
    board: name,
    id,
    owner,
    panels,
    saved: isoTime(updatedDateMs),
  }));
  await writeRows(terminal, format, ["board", "id", "owner", "panels", "saved"], pagesOf(rows));
}

export async function listAlerts(fairway: Fairway, terminal: Terminal, format: Format): Promise<void> {
  const alerts = await fairway.alerts({ signal: terminal.signal });
  const rows = alerts.map(({ name, id, state, dataset, seen, lastCheckedMs, reason }) => ({
    alert: name,
    id,
    state,
    dataset: `${dataset.datasetCategory}/${dataset.datasetId}`,
    rows: seen?.rows ?? null,
    checked: lastCheckedMs === null ? null : isoTime(lastCheckedMs),
    reason,
  }));
  await writeRows(terminal, format, ["alert", "id", "state", "dataset", "rows", "checked", "reason"], pagesOf(rows));
}

const isoTime = (epochMs: number): string => new Date(epochMs).toISOString();

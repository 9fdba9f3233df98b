import { type BoardContent, boardLimits, type BoardPanel, type PanelContent, type PanelPlace } from "@fairway/contract/boards";
import { datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import type { SignedInUser } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import { type CanRead, noSuchDataset } from "#personal/readable-dataset.ts";

/** A panel as it is stored: never hidden. */
export type StoredPanel = Exclude<BoardPanel, { kind: "hidden" }>;
export type StoredContent = Omit<BoardContent, "panels"> & { readonly panels: readonly StoredPanel[] };

const datasetOf = (panel: PanelContent): DatasetRef | null => (panel.kind === "text" ? null : panel.dataset);

/** Which of the panels' datasets the user may read, each asked for once. */
async function readableDatasets(
  canRead: CanRead,
  user: SignedInUser,
  panels: readonly PanelContent[],
): Promise<(panel: PanelContent) => boolean> {
  const datasets = new Map(
    panels.flatMap((panel) => {
      const dataset = datasetOf(panel);
      return dataset === null ? [] : [[datasetKey(dataset), dataset] as const];
    }),
  );
  const readable = new Map(await Promise.all([...datasets].map(async ([key, dataset]) => [key, await canRead(user, dataset)] as const)));
  return (panel) => {
    const dataset = datasetOf(panel);
    return dataset === null || readable.get(datasetKey(dataset)) === true;
  };
}

/** The content as this user may see it. */
export async function visibleContent(canRead: CanRead, user: SignedInUser, content: StoredContent): Promise<BoardContent> {
  const isReadable = await readableDatasets(canRead, user, content.panels);
  return {
    ...content,
    panels: content.panels.map((panel) => (isReadable(panel) ? panel : { kind: "hidden", id: panel.id, place: panel.place })),
  };
}

/**
 * The content to store. A hidden panel stands for the stored one with its id, at its new place. Refuses a dataset that the user
 * may not read, a hidden panel that is not stored, and a board of too much text.
 */
export async function contentToStore(
  canRead: CanRead,
  user: SignedInUser,
  content: BoardContent,
  before: readonly StoredPanel[],
): Promise<StoredContent> {
  const sent = content.panels.filter((panel) => panel.kind !== "hidden");
  const isReadable = await readableDatasets(canRead, user, sent);
  const panels = content.panels.map((panel, index): StoredPanel => {
    if (panel.kind === "hidden") {
      const stored = before.find(({ id }) => id === panel.id);
      if (!stored) throw new Refusal("invalid-value", "There is no panel with this id.", { path: `content.panels.${index}.id` });
      return { ...stored, place: panel.place };
    }
    if (panel.kind !== "text" && !isReadable(panel)) {
      throw new Refusal("invalid-value", noSuchDataset(panel.dataset), { path: `content.panels.${index}.dataset` });
    }
    return panel;
  });
  const stored = { ...content, panels };
  if (JSON.stringify(stored).length > boardLimits.contentCharacters) {
    throw new Refusal(
      "too-large",
      `The panels of a board can have ${boardLimits.contentCharacters.toLocaleString("en-US")} characters in all.`,
    );
  }
  return stored;
}

/** Columns and rows of a new panel. */
const newSizes: Readonly<Record<PanelContent["kind"], Pick<PanelPlace, "w" | "h">>> = {
  text: { w: 6, h: 3 },
  number: { w: 3, h: 3 },
  graph: { w: 6, h: 7 },
  table: { w: 6, h: 7 },
  map: { w: 6, h: 9 },
};

/** A place for a new panel: beside the last ones if there is room, otherwise below all. */
export function placeOf(kind: PanelContent["kind"], panels: readonly Pick<BoardPanel, "place">[]): PanelPlace {
  const { w, h } = newSizes[kind];
  const bottom = Math.max(0, ...panels.map(({ place }) => place.y + place.h));
  const lastRow = panels.filter(({ place }) => place.y + place.h === bottom);
  const y = Math.max(0, bottom - Math.max(0, ...lastRow.map(({ place }) => place.h)));
  const x = Math.max(0, ...panels.filter(({ place }) => place.y + place.h > y).map(({ place }) => place.x + place.w));
  return x + w <= boardLimits.columns && panels.length > 0 ? { x, y, w, h } : { x: 0, y: bottom, w, h };
}

import { isDeepStrictEqual } from "node:util";
import { isOwnCategory } from "@fairway/contract/own-datasets";
import { type BoardContent, boardLimits, type BoardPanel, type PanelContent } from "@fairway/contract/boards";
import type { DatasetRef } from "@fairway/contract/datasets";
import type { OwnOrShared } from "@fairway/contract/sharing";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { reachOver } from "#http/reach.ts";
import { Refusal } from "#http/refusal.ts";
import { type CanRead, noSuchDataset } from "#personal/readable-dataset.ts";

/** A panel as it is stored: never hidden. `by`: the id of whoever has made it, if that is not the owner. It is in no answer. */
export type StoredPanel = Exclude<BoardPanel, { kind: "hidden" }> & { readonly by?: string };
export type StoredContent = Omit<BoardContent, "panels"> & { readonly panels: readonly StoredPanel[] };

/** The datasets of all panels, once for each panel. */
const datasetsOf = (panels: readonly PanelContent[]): DatasetRef[] => panels.flatMap((panel) => datasetOf(panel) ?? []);

/** The part of a board that a call may see, by the datasets that it reaches. */
export const reachOfBoard = ({ reach }: SignedInUser, { panels }: StoredContent) => reachOver(reach, datasetsOf(panels));

const datasetOf = (panel: PanelContent): DatasetRef | null => (panel.kind === "text" ? null : panel.dataset);

/** The panels of datasets that the user may read, and that name no withheld column if somebody else has made them. */
async function shownPanels(canRead: CanRead, user: SignedInUser, panels: readonly StoredPanel[], isOwner: boolean) {
  const isAuthor = ({ by }: StoredPanel) => (by === undefined ? isOwner : by === user.id);
  const checked = panels.map(async (panel) => {
    const dataset = datasetOf(panel);
    return [panel, dataset === null || (await canRead(user, dataset, isAuthor(panel) ? undefined : panel))] as const;
  });
  const shown = new Map(await Promise.all(checked));
  return (panel: StoredPanel): boolean => shown.get(panel) === true;
}

/** The content as this user may see it. Through a key, texts are shown only where it reaches every dataset of the board. */
export async function visibleContent(
  canRead: CanRead,
  user: SignedInUser,
  content: StoredContent,
  can: OwnOrShared,
): Promise<BoardContent> {
  const isReadable = await shownPanels(canRead, user, content.panels, can === "own");
  const showsTexts = reachOfBoard(user, content) === "whole";
  const isShown = (panel: StoredPanel) => (panel.kind === "text" ? showsTexts : isReadable(panel));
  return {
    ...content,
    panels: content.panels.map((panel) => (isShown(panel) ? panel : hiddenOf(panel))),
  };
}

function hiddenOf(panel: StoredPanel): BoardPanel {
  const dataset = datasetOf(panel);
  const isGone = dataset !== null && isOwnCategory(dataset.datasetCategory);
  return { kind: "hidden", id: panel.id, place: panel.place, ...(isGone ? { isGone } : {}) };
}

/** A board as it was before a save. */
interface BoardBefore {
  readonly panels: readonly StoredPanel[];
  /** Whether another one than its owner saves it, who removes nothing unseen. */
  readonly byEditor: boolean;
}

/**
 * The content to store. A hidden panel stands for the stored one with its id, at its new position, and panels that are sent back as they
 * are stored pass as well. Refuses another dataset that the user may not read, a hidden panel that is not stored, the removal of one by an
 * editor, and a board of too much text.
 */
export async function contentToStore(
  canRead: CanRead,
  user: SignedInUser,
  content: BoardContent,
  { panels: before, byEditor }: BoardBefore,
): Promise<StoredContent> {
  const known = new Map(before.map((panel) => [panel.id, panel]));
  const sent = content.panels.filter((panel) => panel.kind !== "hidden");
  const isReadable = await shownPanels(canRead, user, sent, true);
  const panels = content.panels.map((panel, index): StoredPanel => {
    const stored = known.get(panel.id);
    if (panel.kind === "hidden") {
      if (!stored) throw new Refusal("invalid-value", "There is no panel with this id.", { path: `content.panels.${index}.id` });
      return { ...stored, place: panel.place };
    }
    if (stored !== undefined && isUnchanged(panel, stored)) return { ...stored, place: panel.place };
    if (panel.kind !== "text" && !isReadable(panel)) {
      throw new Refusal("invalid-value", noSuchDataset(panel.dataset), { path: `content.panels.${index}.dataset` });
    }
    return byEditor ? { ...panel, by: user.id } : panel;
  });
  const isKept = (panel: StoredPanel) => panels.some((one) => one.id === panel.id && isUnchanged(one, panel));
  const removed = byEditor ? before.filter((panel) => !isKept(panel)) : [];
  const isShown = await shownPanels(canRead, user, removed, false);
  if (!removed.every(isShown)) {
    throw new Refusal("forbidden", "Only the owner of this board may remove panels that you cannot see.", { path: "content.panels" });
  }
  const stored = { ...content, panels };
  if (JSON.stringify(stored).length > boardLimits.contentCharacters) {
    throw new Refusal(
      "too-large",
      `The panels of a board can have ${boardLimits.contentCharacters.toLocaleString("en-US")} characters in all.`,
    );
  }
  return stored;
}

/** Whether a panel is what is stored, wherever it is now. */
function isUnchanged(panel: StoredPanel, stored: StoredPanel): boolean {
  const comparable = (one: StoredPanel) => ({ ...one, place: null, by: null });
  // As the database keeps it.
  return isDeepStrictEqual(comparable(JSON.parse(JSON.stringify(panel)) as StoredPanel), comparable(stored));
}

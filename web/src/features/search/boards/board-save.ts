import type { Board, BoardContent, BoardPanel } from "@fairway/contract/boards";
import { isStaleVersion } from "#lib/gateway/gateway-error.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { boardQuery, editBoard, readRevision } from "#parts/boards/queries.ts";
import { isSame, mergeThreeWay } from "#parts/conflict/three-way.ts";
import { writtenAnew } from "./board-content.ts";
import { withoutOverlaps } from "./layout.ts";

/** Both have changed the same parts. `mine` is their version with the user's changes. */
export interface BoardConflict {
  readonly kind: "conflict";
  readonly theirs: Board;
  readonly mine: BoardContent;
  /** The version that the edit started with. */
  readonly version: number;
}

type BoardSave =
  /** `isMerged`: merged with changes that someone else has saved meanwhile. */
  | { readonly kind: "saved"; readonly board: Board; readonly isMerged: boolean }
  | { readonly kind: "failed"; readonly error: unknown }
  | BoardConflict;

/** After this many concurrent saves the user has to decide. */
const maxMerges = 3;

/** Saves an edited board. Changes that others have saved since `version` are kept: only what both have changed in one panel, or of the whole board, is a conflict. */
export async function saveBoard(id: string, edited: BoardContent, version: number): Promise<BoardSave> {
  let [content, base] = [edited, version];
  for (let merges = 0; ; merges += 1) {
    try {
      return { kind: "saved", board: await editBoard(id, { content, version: base }), isMerged: merges > 0 };
    } catch (error) {
      if (!isStaleVersion(error)) return { kind: "failed", error };
      try {
        const [before, theirs] = await Promise.all([contentBefore(id, base), queryClient.fetchQuery({ ...boardQuery(id), staleTime: 0 })]);
        const merged = mergedContent(before, content, writtenAnew(theirs.content));
        if (merged.isConflict || merges >= maxMerges) return { kind: "conflict", theirs, mine: merged.content, version: base };
        [content, base] = [merged.content, theirs.version];
      } catch (failure) {
        return { kind: "failed", error: failure };
      }
    }
  }
}

/** The version that an edit started with; undefined if it is not kept any more. */
async function contentBefore(id: string, version: number): Promise<BoardContent | undefined> {
  try {
    return writtenAnew((await readRevision(id, version)).content);
  } catch {
    return undefined;
  }
}

function mergedContent(before: BoardContent | undefined, mine: BoardContent, theirs: BoardContent) {
  const { value, collisions } = mergeThreeWay(before && byPanel(before), byPanel(mine), byPanel(theirs));
  const { panels: merged, ...rest } = value as ReturnType<typeof byPanel>;
  const panels = Object.values(merged).map((panel) => {
    const [was, own, other] = [before, mine, theirs].map((content) => content?.panels.find(({ id }) => id === panel.id)?.place);
    const place = own !== undefined && (other === undefined || !isSame(own, was)) ? own : other;
    return Object.assign({}, panel, { place }) as BoardPanel;
  });
  return { content: { ...rest, panels: withoutOverlaps(panels) }, isConflict: collisions.length > 0 };
}

/** Panels are merged one by one, whatever their order. Their positions are no conflict: removing one panel moves all below it. */
const byPanel = ({ panels, ...rest }: BoardContent) => ({
  ...rest,
  panels: Object.fromEntries(panels.map(({ place: _place, ...panel }) => [panel.id, panel])),
});

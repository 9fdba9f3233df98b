import { goneDatasetText } from "@fairway/contract/own-datasets";
import { boardLimits, type BoardPanel, type PanelPosition } from "@fairway/contract/boards";
import { Box } from "@mantine/core";
import { type PointerEvent, useRef, useState } from "react";
import { Markdown } from "#parts/markdown/markdown.tsx";
import { announce } from "#ui/announcer.tsx";
import type { BoardContext } from "./panels/board-context.ts";
import { positionAfterKey, readingOrder, withoutPanel, withPosition } from "./layout.ts";
import { PanelFrame, type PanelEditing } from "./panels/panel-frame.tsx";
import { SearchPanelView } from "./panels/search-panel-view.tsx";
import panelClasses from "./panels/panels.module.css";
import classes from "./boards.module.css";

interface Props {
  panels: readonly BoardPanel[];
  board: BoardContext;
  /** Takes the changed panels; null while the board is only read. */
  onChange: ((panels: readonly BoardPanel[]) => void) | null;
  onEdit: (panel: BoardPanel) => void;
  /** Whether panels that the user may not see may be removed. */
  mayRemoveHidden: boolean;
}

/** Of a row of the grid, with the gap below it. */
const rowPx = 56;

/** The panels of a board on a grid of 12 columns, or one below the other on a phone. */
export function BoardGrid({ panels, board, onChange, onEdit, mayRemoveHidden }: Props) {
  const grid = useRef<HTMLDivElement>(null);
  const [draggedId, setDraggedId] = useState<string | null>(null);

  const startDrag = (event: PointerEvent, panel: BoardPanel, part: "move" | "resize") => {
    const columnPx = (grid.current?.clientWidth ?? 0) / boardLimits.columns;
    if (onChange === null || columnPx === 0 || event.button !== 0) return;
    event.preventDefault();
    const [fromX, fromY] = [event.clientX, event.clientY];
    const follow = (pointer: globalThis.PointerEvent) => {
      const [columns, rows] = [Math.round((pointer.clientX - fromX) / columnPx), Math.round((pointer.clientY - fromY) / rowPx)];
      onChange(withPosition(panels, panel.id, draggedPosition(panel.place, part, columns, rows)));
    };
    const end = new AbortController();
    const { signal } = end;
    const stop = () => {
      end.abort();
      setDraggedId(null);
    };
    addEventListener("pointermove", follow, { signal });
    addEventListener("pointerup", stop, { signal });
    const undo = () => {
      onChange(panels);
      stop();
    };
    addEventListener("pointercancel", undo, { signal });
    // Before a dialog or the screen hears it.
    addEventListener("keydown", (key) => key.key === "Escape" && (key.stopPropagation(), undo()), { signal, capture: true });
    setDraggedId(panel.id);
  };

  const editingOf = (panel: BoardPanel): PanelEditing | null =>
    onChange && {
      isDragged: panel.id === draggedId,
      onEdit: panel.kind === "hidden" ? undefined : () => onEdit(panel),
      onRemove: panel.kind === "hidden" && !mayRemoveHidden ? undefined : () => onChange(withoutPanel(panels, panel.id)),
      onKeyDown: (event) => {
        const place = positionAfterKey(panels, panel, event.key, event.shiftKey);
        if (!event.key.startsWith("Arrow") || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        if (place === null) return;
        const changed = withPosition(panels, panel.id, place);
        onChange(changed);
        const { x, y, w, h } = changed.find(({ id }) => id === panel.id)?.place ?? place;
        announce(`Column ${x + 1}, row ${y + 1}, ${w} wide, ${h} high`);
      },
      onDragStart: (event, part) => startDrag(event, panel, part),
    };

  return (
    <div ref={grid} className={classes["grid"]} data-editing={onChange !== null || undefined}>
      {readingOrder(panels).map((panel) => {
        const frame = { kind: panel.kind, place: panel.place, editing: editingOf(panel) };
        if (panel.kind === "text") {
          return (
            <PanelFrame key={panel.id} {...frame} title={panel.title}>
              <Box pt="xs" px="lg" pb="lg">
                <Markdown text={panel.text} />
              </Box>
            </PanelFrame>
          );
        }
        if (panel.kind === "hidden") {
          return (
            <PanelFrame key={panel.id} {...frame} title="Hidden panel">
              <p className={panelClasses["nothing"]}>
                {panel.isGone === true ? goneDatasetText : "You don’t have access to this panel’s dataset."}
              </p>
            </PanelFrame>
          );
        }
        return <SearchPanelView key={panel.id} {...frame} panel={panel} board={board} />;
      })}
    </div>
  );
}

const draggedPosition = ({ x, y, w, h }: PanelPosition, part: "move" | "resize", columns: number, rows: number): PanelPosition =>
  part === "move" ? { x: x + columns, y: y + rows, w, h } : { x, y, w: w + columns, h: h + rows };

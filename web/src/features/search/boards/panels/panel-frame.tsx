import { type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, type RefObject, useId } from "react";
import { IconGripVertical } from "#ui/icons/grip-vertical.ts";
import { IconPencil } from "#ui/icons/pencil.ts";
import { IconTrash } from "#ui/icons/trash.ts";
import type { BoardPanel } from "@fairway/contract/boards";
import { IconButton } from "#ui/icon-button.tsx";
import classes from "./panels.module.css";

/** How a panel is changed; null while the board is only read. */
export interface PanelEditing {
  readonly isDragged: boolean;
  /** Undefined for a panel that the user may not see. */
  readonly onEdit: (() => void) | undefined;
  /** Undefined for a panel that the user may not remove. */
  readonly onRemove: (() => void) | undefined;
  /** An arrow key moves the panel, with Shift it changes its size. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onDragStart: (event: PointerEvent, part: "move" | "resize") => void;
}

export interface FrameProps {
  kind: BoardPanel["kind"];
  place: BoardPanel["place"];
  editing: PanelEditing | null;
  frameRef?: RefObject<HTMLElement | null>;
  title: string;
  subtitle?: string | undefined;
  isBusy?: boolean;
  /** Beside the titles, also while the board is edited. */
  mark?: ReactNode;
  menu?: ReactNode;
  children: ReactNode;
}

/** A panel at its position on the grid, with its title and, while the board is edited, handles to move it and change its size. */
export function PanelFrame({ kind, place, editing, frameRef, title, subtitle, isBusy = false, mark, menu, children }: FrameProps) {
  const id = useId();
  const { x, y, w, h } = place;
  const style = { gridColumn: `${x + 1} / span ${w}`, gridRow: `${y + 1} / span ${h}`, "--rows": h } as CSSProperties;
  const name = title === "" ? "Text" : title;
  return (
    <section
      ref={frameRef}
      className={classes["panel"]}
      style={style}
      aria-labelledby={id}
      aria-busy={isBusy}
      data-kind={kind}
      data-editing={editing !== null || undefined}
      data-dragged={editing?.isDragged || undefined}
    >
      <header className={classes["head"]}>
        {editing && (
          <button
            type="button"
            className={classes["handle"]}
            aria-label={`Move ${name}`}
            title="Drag to move. Arrow keys move the panel, with Shift they change its size."
            onKeyDown={editing.onKeyDown}
            onPointerDown={(event) => editing.onDragStart(event, "move")}
          >
            <IconGripVertical size={16} aria-hidden />
          </button>
        )}
        <div className={classes["titles"]}>
          <h2 id={id} className={title === "" ? "visually-hidden" : undefined} title={title}>
            {name}
          </h2>
          {subtitle !== undefined && <small title={subtitle}>{subtitle}</small>}
        </div>
        {mark}
        {editing ? (
          <>
            {editing.onEdit && (
              <IconButton label={`Edit ${name}`} onClick={editing.onEdit}>
                <IconPencil size={16} aria-hidden />
              </IconButton>
            )}
            {editing.onRemove && (
              <IconButton label={`Remove ${name}`} onClick={editing.onRemove}>
                <IconTrash size={16} aria-hidden />
              </IconButton>
            )}
          </>
        ) : (
          menu
        )}
      </header>
      <div className={classes["body"]}>{children}</div>
      {editing && <div className={classes["resize"]} aria-hidden onPointerDown={(event) => editing.onDragStart(event, "resize")} />}
    </section>
  );
}

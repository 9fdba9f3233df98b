import { type Column, columnTitleIn } from "@fairway/contract/columns";
import { Button, TextInput } from "@mantine/core";
import { IconGripVertical } from "#ui/icons/grip-vertical.ts";
import { IconPinned } from "#ui/icons/pinned.ts";
import { IconSearch } from "#ui/icons/search.ts";
import { IconX } from "#ui/icons/x.ts";
import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { announce } from "#ui/announcer.tsx";
import { DetailFrame } from "#ui/kit/detail-frame.tsx";
import { type ColumnLayout, moveColumn, withAllHidden, withAllShown, withHidden } from "./column-layout.ts";
import { pressed } from "#ui/shortcut-keys.ts";
import classes from "./table.module.css";

interface Props {
  columns: readonly Column[];
  layout: ColumnLayout;
  onLayoutChange: (layout: ColumnLayout) => void;
  onClose: () => void;
}

/** Shows, hides and reorders columns. */
export function ColumnEditor({ columns, layout, onLayoutChange, onClose }: Props) {
  const [query, setQuery] = useState("");
  const [dragged, setDragged] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const needle = query.trim().toLowerCase();
  const titleOf = (name: string) => columnTitleIn(columns, name);
  const names = layout.order.filter((name) => [name, titleOf(name)].some((text) => text.toLowerCase().includes(needle)));
  const hidden = layout.hidden.size;

  const moveColumnBy = (name: string, step: -1 | 1) => {
    const target = layout.order[layout.order.indexOf(name) + step];
    if (target === undefined || layout.pinned.has(target) !== layout.pinned.has(name)) return;
    onLayoutChange(moveColumn(layout, name, target));
    announce(`${titleOf(name)} moved ${step < 0 ? "up" : "down"}`);
  };
  const onKeyDown = (event: KeyboardEvent, name: string) => {
    const key = pressed(event, "columns.move");
    if (key === null) return;
    event.preventDefault();
    moveColumnBy(name, key === "Alt+ArrowUp" ? -1 : 1);
  };
  const drag = (event: PointerEvent, name: string) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    setDragged(name);
  };
  const dragOver = ({ clientY }: PointerEvent) => {
    if (dragged === null) return;
    const over = [...(list.current?.children ?? [])].find((item) => {
      const { top, bottom } = item.getBoundingClientRect();
      return clientY >= top && clientY < bottom;
    });
    const target = over instanceof HTMLElement ? over.dataset["name"] : undefined;
    if (target !== undefined && target !== dragged && layout.pinned.has(target) === layout.pinned.has(dragged)) {
      onLayoutChange(moveColumn(layout, dragged, target));
    }
  };
  return (
    <DetailFrame
      label="Columns"
      heading={
        <>
          <h2>Columns</h2>
          <p className={classes["subtitle"]} aria-live="polite">{`${layout.order.length} columns, ${hidden} hidden`}</p>
        </>
      }
      tools={[{ label: "Close columns", icon: <IconX size={16} aria-hidden />, run: onClose }]}
    >
      <TextInput
        aria-label="Filter columns"
        placeholder="Filter columns"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
      />
      <div className={classes["tools"]}>
        <Button variant="subtle" size="compact-md" disabled={hidden === 0} onClick={() => onLayoutChange(withAllShown(layout))}>
          Select All
        </Button>
        <Button
          variant="subtle"
          size="compact-md"
          disabled={hidden === layout.order.length}
          onClick={() => onLayoutChange(withAllHidden(layout))}
        >
          Select None
        </Button>
      </div>
      {names.length === 0 && <p className={classes["none"]}>No column matches “{query.trim()}”.</p>}
      <ul ref={list}>
        {names.map((name) => (
          <li key={name} data-name={name} className={classes["item"]} {...(dragged === name ? { "data-dragged": true } : {})}>
            <label title={name}>
              <input
                type="checkbox"
                checked={!layout.hidden.has(name)}
                onChange={(event) => onLayoutChange(withHidden(layout, name, !event.currentTarget.checked))}
                onKeyDown={(event) => onKeyDown(event, name)}
              />
              <span>{titleOf(name)}</span>
            </label>
            {layout.pinned.has(name) && <IconPinned size={14} aria-label="Pinned" className={classes["pinMark"]} />}
            <button
              type="button"
              className={classes["grip"]}
              aria-label={`Move ${titleOf(name)}`}
              title="Drag to move, or Alt+Up and Alt+Down"
              onPointerDown={(event) => drag(event, name)}
              onPointerMove={dragOver}
              onPointerUp={() => setDragged(null)}
              onPointerCancel={() => setDragged(null)}
              onKeyDown={(event) => onKeyDown(event, name)}
            >
              <IconGripVertical size={14} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
    </DetailFrame>
  );
}

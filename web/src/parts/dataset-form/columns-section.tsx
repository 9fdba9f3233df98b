import type { Column } from "@fairway/contract/columns";
import { formatCount, pluralize } from "@fairway/contract/counts";
import { ownValue } from "@fairway/contract/records";
import { Group, TextInput } from "@mantine/core";
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { wayOfKey } from "#parts/reading/reading-words.ts";
import { announce } from "#ui/announcer.tsx";
import { IconSearch } from "#ui/icons/search.ts";
import { pressed } from "#ui/shortcut-keys.ts";
import { ColumnTable } from "./column-table.tsx";
import { factsOf } from "./column-facts.ts";
import { type ColumnChange, withChanges, withMoved } from "./column-moves.ts";
import { SelectedColumns } from "./selected-columns.tsx";
import { useDatasetForm } from "./form-context.ts";
import { FormSection } from "./form-fields.tsx";
import classes from "./dataset-form.module.css";

const matches = (column: Column, needle: string): boolean =>
  [column.name, column.label ?? "", column.description].some((text) => text.toLowerCase().includes(needle));

/** The columns: what people read of them, in which order, and as which type. */
export function ColumnsSection({ reveal }: { reveal: { readonly index: number } | null }) {
  const { draft, update, reading, preview, profile, isOwn } = useDatasetForm();
  const { columns } = draft.schema;
  const [query, setQuery] = useState("");
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const root = useRef<HTMLDivElement>(null);
  const needle = query.trim().toLowerCase();
  const shown = useMemo(() => (needle === "" ? columns : columns.filter((column) => matches(column, needle))), [columns, needle]);
  const facts = useMemo(
    () => factsOf({ rows: preview.rows, profile, reading: reading?.reading }),
    [preview.rows, profile, reading?.reading],
  );
  // A column with a problem may be one that the filter leaves out.
  const [revealed, setRevealed] = useState(reveal);
  if (reveal !== revealed) {
    setRevealed(reveal);
    setQuery("");
  }

  const setColumns = useCallback(
    (change: (columns: readonly Column[]) => Column[]) =>
      update(({ schema }) => ({ schema: { ...schema, columns: change(schema.columns) } })),
    [update],
  );
  const onChange = useCallback(
    (name: string, change: ColumnChange) => setColumns((list) => withChanges(list, new Set([name]), change)),
    [setColumns],
  );
  const onMove = useCallback((name: string, target: string) => setColumns((list) => withMoved(list, name, target)), [setColumns]);
  const onSelect = useCallback(
    (names: readonly string[], isSelected: boolean) =>
      setSelected((before) => {
        const next = new Set(before);
        for (const name of names)
          if (isSelected) next.add(name);
          else next.delete(name);
        return next;
      }),
    [],
  );
  const latest = useRef(reading);
  useEffect(() => {
    latest.current = reading;
  });
  const onType = useCallback((names: readonly string[], key: string) => {
    const form = latest.current;
    if (!form) return;
    const { choices } = form;
    const chosen = Object.fromEntries(names.map((name) => [name, { ...ownValue(choices.columns ?? {}, name), ...wayOfKey(key) }]));
    form.choose({ ...choices, columns: { ...choices.columns, ...chosen } });
  }, []);
  const moveByKey = (event: KeyboardEvent<HTMLDivElement>) => {
    const key = pressed(event, "columns.move");
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>("[role=row][data-index]") : null;
    // Alt+Down opens a choice.
    if (key === null || row === null || event.target instanceof HTMLSelectElement) return;
    event.preventDefault();
    const index = Number(row.dataset["index"]);
    const [column, target] = [shown[index], shown[index + (key === "Alt+ArrowUp" ? -1 : 1)]];
    if (!column || !target) return;
    const field = (event.target as HTMLElement).dataset["field"];
    onMove(column.name, target.name);
    announce(`${column.name} is now column ${columns.indexOf(target) + 1} of ${columns.length}`);
    // Its row is another one in the document.
    requestAnimationFrame(() =>
      root.current?.querySelector<HTMLElement>(`[data-column-row="${CSS.escape(column.name)}"] [data-field="${field ?? "move"}"]`)?.focus(),
    );
  };
  const chosen = columns.filter(({ name }) => selected.has(name));
  const hidden = columns.filter((column) => column.hidden === true).length;
  return (
    <FormSection
      id="columns"
      about={
        <>
          Labels are what people read; names stay in addresses, calls and JSON. What is not shown at first is one press away:{" "}
          <b>hidden is not protected; use {isOwn ? "Sharing" : "Access"}.</b>
        </>
      }
    >
      <Group gap="md" mb="md">
        <TextInput
          aria-label="Filter columns"
          placeholder="Filter columns"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <span className={classes["count"]} role="status">
          {needle === "" ? pluralize(columns.length, "column") : `${formatCount(shown.length)} of ${pluralize(columns.length, "column")}`}
          {hidden > 0 && `, ${formatCount(hidden)} not shown at first`}
        </span>
      </Group>
      {chosen.length > 0 && (
        <SelectedColumns
          columns={chosen}
          facts={chosen.map(facts)}
          onChange={(change) => setColumns((list) => withChanges(list, selected, change))}
          onType={(key) => onType([...selected], key)}
          onClear={() => setSelected(new Set())}
        />
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of the fields inside */}
      <div ref={root} onKeyDown={moveByKey}>
        {shown.length === 0 ? (
          <p className={classes["about"]}>{`No column matches “${query.trim()}”.`}</p>
        ) : (
          <ColumnTable
            columns={shown}
            all={columns}
            facts={facts}
            selected={selected}
            revealed={reveal}
            onChange={onChange}
            onMove={onMove}
            onSelect={onSelect}
            onType={onType}
          />
        )}
      </div>
    </FormSection>
  );
}

import { formatCount, pluralize } from "@fairway/contract/counts";
import { Button, TextInput } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconAlertTriangle } from "#ui/icons/alert-triangle.ts";
import { IconDots } from "#ui/icons/dots.ts";
import { IconDownload } from "#ui/icons/download.ts";
import { IconFilter } from "#ui/icons/filter.ts";
import { IconPlus } from "#ui/icons/plus.ts";
import { IconTablePlus } from "#ui/icons/table-plus.ts";
import { IconUpload } from "#ui/icons/upload.ts";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { UsersTabs } from "#parts/users-tabs/users-tabs.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { island } from "#ui/island.tsx";
import { useMenuButton } from "#ui/menu-button.ts";
import { PageHeader } from "#ui/page-header.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { EmptyState } from "#ui/states.tsx";
import { useHasBeen } from "#ui/use-has-been.ts";
import { entitiesQuery } from "./entity-calls.ts";
import { EntityColumnChoice, useShownColumns } from "./entity-columns.tsx";
import type { EntityDialog } from "./entity-dialog.ts";
import { exportEntities } from "./entity-export.ts";
import { EntityFooter } from "./entity-footer.tsx";
import { can, type EntityKind } from "./entity-kind.ts";
import { type EntityRow, type EntitySort, filterRows, defaultSort, rowsOf, sortRows } from "./entity-list.ts";
import EntityMenu from "./entity-menu.tsx";
import classes from "./entities.module.css";
import { EntityTable } from "./entity-table.tsx";
import { type RowAction, useEntityActions } from "./use-entity-actions.ts";
import { DatasetTabs } from "../own-data/dataset-tabs.tsx";
import { useSeparateTexts } from "../editor/use-separate-texts.ts";

// Several times as large as the table.
const EntityDialogs = island(async () => ({ default: (await import("./entity-dialogs.tsx")).EntityDialogs }));

/** The list of all entities of a type, with their actions. */
export function EntityScreen({ kind }: { kind: EntityKind }) {
  const query = useQuery(entitiesQuery(kind));
  const [filter, setFilter] = useState("");
  const [sort, setSort] = useState<EntitySort>(() => defaultSort(kind));
  const [onlyWarned, setOnlyWarned] = useState(false);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [dialog, setDialog] = useState<EntityDialog | null>(null);
  const hasOpened = useHasBeen(dialog !== null);
  const columns = useShownColumns(kind);
  const separateTextOf = useSeparateTexts(kind);

  const rows = useMemo(() => rowsOf(kind, query.data ?? [], separateTextOf), [kind, query.data, separateTextOf]);
  const shownColumns = useMemo(
    () => columns.shown.filter((index) => !kind.columns[index]?.isHiddenIfEmpty || rows.some(({ cells }) => cells[index] !== "")),
    [columns.shown, kind, rows],
  );
  const sortedRows = useMemo(() => sortRows(rows, sort), [rows, sort]);
  const warned = useMemo(() => sortedRows.filter(({ warnings }) => warnings.length > 0), [sortedRows]);
  // Ignored once no row has warnings anymore.
  const showsOnlyWarned = onlyWarned && warned.length > 0;
  const shown = useMemo(() => filterRows(showsOnlyWarned ? warned : sortedRows, filter), [showsOnlyWarned, warned, sortedRows, filter]);
  const selectedRows = useMemo(() => shown.filter(({ id }) => selected.has(id)), [shown, selected]);
  const actions = useEntityActions(kind, setDialog);

  return (
    <>
      <PageHeader title={kind.title} subtitle={query.data && subtitle(kind, rows)}>
        <TextInput
          className={classes["filterInput"] ?? ""}
          aria-label="Filter"
          placeholder="Filter"
          data-page-filter
          leftSection={<IconFilter size={16} aria-hidden />}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
        <EntityColumnChoice kind={kind} {...columns} />
        <ScreenActions kind={kind} entities={query.data} setDialog={setDialog} />
      </PageHeader>
      {kind.type === "users" && <UsersTabs />}
      {kind.type === "datasets/internal" && <DatasetTabs />}
      <QueryState
        query={query}
        loading={{ label: `Loading ${kind.plural}`, rows: 12 }}
        failed={`Error loading ${kind.plural}.`}
        noMatch={
          rows.length > 0 && shown.length === 0
            ? { text: `No ${kind.noun} matches “${filter.trim()}”.`, clear: { label: "Clear filter", run: () => setFilter("") } }
            : undefined
        }
      >
        {() =>
          rows.length === 0 ? (
            <NoEntities kind={kind} setDialog={setDialog} />
          ) : (
            <EntityTable
              kind={kind}
              rows={shown}
              columns={shownColumns}
              sort={sort}
              onSort={setSort}
              selected={selected}
              onSelect={setSelected}
              actions={actions}
            />
          )
        }
      </QueryState>
      {query.data && rows.length > 0 && (
        <EntityFooter
          kind={kind}
          total={rows.length}
          shown={shown.length}
          selected={selectedRows}
          onDone={() => setSelected(new Set())}
          onDelete={kind.form === "user" ? () => setDialog({ kind: "delete-users", accounts: selectedRows }) : undefined}
        >
          {warned.length > 0 && (
            <Button
              variant="subtle"
              size="xs"
              aria-pressed={showsOnlyWarned}
              leftSection={<IconAlertTriangle size={16} aria-hidden />}
              onClick={() => setOnlyWarned(!showsOnlyWarned)}
              c="var(--amber)"
            >
              {showsOnlyWarned ? "Show all" : `${formatCount(warned.length)} with warnings`}
            </Button>
          )}
        </EntityFooter>
      )}
      {hasOpened && <EntityDialogs kind={kind} dialog={dialog} onChange={setDialog} />}
    </>
  );
}

function NoEntities({ kind, setDialog }: { kind: EntityKind; setDialog: (dialog: EntityDialog) => void }) {
  const create = (
    <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setDialog({ kind: "new" })}>
      New {kind.noun}
    </Button>
  );
  return (
    <EmptyState
      action={can(kind, "create") && create}
    >{`There is no ${kind.noun} yet.${kind.purpose ? ` ${kind.purpose}` : ""}`}</EmptyState>
  );
}

interface ScreenActionsProps {
  kind: EntityKind;
  entities: EntityRow["entity"][] | undefined;
  setDialog: (dialog: EntityDialog) => void;
}

/** New, Export All and Import; on a phone, the secondary actions are in a menu. */
function ScreenActions({ kind, entities, setDialog }: ScreenActionsProps) {
  const phone = useMediaQuery("(max-width: 720px)", undefined, { getInitialValueInEffect: false });
  const secondary: RowAction[] = [
    ...(kind.fromData ? [{ label: "New from data", icon: IconTablePlus, run: () => setDialog({ kind: "new-from-data" }) }] : []),
    ...(can(kind, "import") ? [{ label: "Import", icon: IconUpload, run: () => setDialog({ kind: "import" }) }] : []),
    ...(can(kind, "export")
      ? [
          {
            label: "Export All",
            icon: IconDownload,
            disabled: entities === undefined,
            run: () => void exportEntities(kind, entities ?? []),
          },
        ]
      : []),
  ];
  return (
    <>
      {phone && secondary.length > 0 && <MoreActions actions={secondary} />}
      {!phone &&
        secondary.map(({ label, icon: Icon, disabled, run }) => (
          <Button key={label} variant="default" leftSection={<Icon size={16} aria-hidden />} disabled={disabled ?? false} onClick={run}>
            {label}
          </Button>
        ))}
      {can(kind, "create") && (
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setDialog({ kind: "new" })}>
          New
        </Button>
      )}
    </>
  );
}

function MoreActions({ actions }: { actions: readonly RowAction[] }) {
  const [opened, setOpened] = useState(false);
  const { buttonProps, menuProps } = useMenuButton(opened, setOpened);
  return (
    <>
      <IconButton label="More actions" {...buttonProps}>
        <IconDots size={16} aria-hidden />
      </IconButton>
      {menuProps && <EntityMenu {...menuProps} actions={() => actions} />}
    </>
  );
}

function subtitle({ noun, plural }: EntityKind, rows: readonly EntityRow[]): string {
  const disabled = rows.filter(({ enabled }) => enabled === false).length;
  const count = pluralize(rows.length, noun, plural);
  return disabled === 0 ? count : `${count}, ${formatCount(disabled)} disabled`;
}

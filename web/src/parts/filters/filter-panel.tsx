import type { DatasetDescription } from "@fairway/contract/datasets";
import type { SearchColumns } from "@fairway/contract/derived-columns";
import type { MissingFilter } from "@fairway/contract/required-filters";
import { Box, Button, Stack, Text } from "@mantine/core";
import { IconPlus } from "#ui/icons/plus.ts";
import { type Ref, useId, useImperativeHandle, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { AreaField } from "#parts/area/area-field.tsx";
import { coarseColumnsOf } from "#parts/reader-part/coarse-columns.ts";
import type { SearchFilters } from "#parts/search-model/search-record.ts";
import { type FormFilter, isCompared } from "#parts/search-model/form-filter.ts";
import { availableFilters, columnFilter, filterableColumns, isRemovable, withoutValue } from "#parts/search-model/filter-list.ts";
import { FilterBar } from "./filter-bar.tsx";
import { FilterDialog } from "./filter-dialog.tsx";
import { FilterField } from "./filter-field.tsx";
import classes from "./filters.module.css";
import { SuggestionSourceContext } from "./suggestion-source.ts";
import { type FieldHandle, TimeRangeField } from "./time-range-field.tsx";

export interface FilterPanelHandle {
  /** Leads to the part: opens its dialog, or focuses its field, which is added if needed. */
  supply: (part: MissingFilter) => void;
}

interface Props {
  ref?: Ref<FilterPanelHandle>;
  description: DatasetDescription;
  filters: SearchFilters;
  /** Columns that the search adds to those of its dataset. */
  added: SearchColumns | undefined;
  /** Names what is typed in the filter bar. */
  draftName: string;
  /** Shows problems of every field, as after a rejected search. */
  showProblems?: boolean;
  onChange: (filters: SearchFilters) => void;
}

type Dialog = { opened: boolean; edited: FormFilter | null };

/** All filters that a search of this dataset supports. */
export function FilterPanel({ ref, description, filters, added: addedColumns, draftName, showProblems = false, onChange }: Props) {
  const { filterSupport, timeExtent, schema } = description;
  // Null until first opened: the dialog mounts on first use.
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const timeField = useRef<FieldHandle>(null);
  const areaField = useRef<FieldHandle>(null);
  const panel = useRef<HTMLDivElement>(null);
  const setDynamic = (dynamic: readonly FormFilter[]) => onChange({ ...filters, dynamic });
  const replace = (old: FormFilter, changed: FormFilter) =>
    setDynamic(filters.dynamic.map((filter) => (filter.id === old.id ? changed : filter)));

  const offered = filterSupport.supportsAdvancedFiltering
    ? filterableColumns(description).map((column) => columnFilter(column, filters.dynamic))
    : availableFilters(description, filters.dynamic);
  useImperativeHandle(ref, () => ({
    supply(part) {
      if (part.kind === "timeRange") timeField.current?.open();
      else if (part.kind === "area") areaField.current?.open();
      else {
        const shown = filters.dynamic.find(({ name }) => name === part.name);
        const added = shown ?? offered.find(({ name }) => name === part.name);
        if (!added) return;
        // In the page before it is focused.
        if (!shown) flushSync(() => setDynamic([...filters.dynamic, added]));
        panel.current?.querySelector<HTMLElement>(`[data-filter="${CSS.escape(added.id)}"] input`)?.focus();
      }
    },
  }));
  const coarse = coarseColumnsOf(description);
  const fixed = filters.dynamic.filter((filter) => !isRemovable(description, filter));
  const added = filters.dynamic.filter((filter) => isRemovable(description, filter));
  const field = (filter: FormFilter) => (
    <FilterField
      key={filter.id}
      filter={filter}
      columns={schema.columns}
      unit={schema.columns.find((column) => column.name === filter.name)?.unit}
      coarse={coarse.get(filter.name)}
      showProblems={showProblems}
      onChange={(changed) => replace(filter, changed)}
      {...(isRemovable(description, filter)
        ? {
            inline: true,
            onEdit: () => setDialog({ opened: true, edited: filter }),
            onRemove: () => setDynamic(filters.dynamic.filter((other) => other.id !== filter.id)),
          }
        : isCompared(filter)
          ? {}
          : {
              onEdit: () => setDialog({ opened: true, edited: filter }),
              onRemove: () => setDynamic(withoutValue(description, filters.dynamic, filter)),
            })}
    />
  );
  if (!filterSupport.supportsTimeRange && !filterSupport.supportsGeospatial && filters.dynamic.length === 0 && offered.length === 0) {
    return <Text c="dimmed">This dataset takes no filters.</Text>;
  }
  return (
    <SuggestionSourceContext value={{ description, filters, added: addedColumns }}>
      <div ref={panel} className={classes["panel"]} data-tour="filters">
        {filterSupport.supportsTimeRange && (
          <TimeRangeField
            ref={timeField}
            value={filters.timeRange}
            extent={timeExtent}
            dataset={description}
            onChange={(timeRange) => onChange({ ...filters, timeRange })}
          />
        )}
        {filterSupport.supportsGeospatial && (
          <AreaField
            ref={areaField}
            datasets={[{ datasetCategory: description.category.id, datasetId: description.datasetId }]}
            value={filters.geospatial}
            onChange={(geospatial) => onChange({ ...filters, geospatial })}
          />
        )}
        {fixed.length > 0 && (
          <Section title="Fields">
            <div className={classes["pair"]}>{fixed.map(field)}</div>
          </Section>
        )}
        {(added.length > 0 || offered.length > 0) && (
          <Section title="Additional filters">
            <Box mih="var(--control-h)">
              <FilterBar
                key={draftName}
                description={description}
                filters={filters}
                added={addedColumns}
                draftName={draftName}
                addsOnBlur
                onChange={setDynamic}
              />
            </Box>
            {added.length > 0 && (
              <Stack gap="sm" mt="md">
                {added.map(field)}
              </Stack>
            )}
            {offered.length > 0 && (
              <Button
                variant="subtle"
                className={classes["add"] ?? ""}
                leftSection={<IconPlus size={16} aria-hidden />}
                onClick={() => setDialog({ opened: true, edited: null })}
              >
                Add filter
              </Button>
            )}
          </Section>
        )}
        {dialog && (
          <FilterDialog
            opened={dialog.opened}
            description={description}
            offered={offered}
            edited={dialog.edited}
            onClose={() => setDialog({ ...dialog, opened: false })}
            onDone={(filter) => {
              if (dialog.edited) replace(dialog.edited, filter);
              else setDynamic([...filters.dynamic, filter]);
            }}
          />
        )}
      </div>
    </SuggestionSourceContext>
  );
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  const id = useId();
  return (
    // A group, not a landmark: one screen may show the sections of several datasets.
    <section role="group" aria-labelledby={id}>
      <h3 id={id} className={classes["heading"]}>
        {title}
      </h3>
      {children}
    </section>
  );
}

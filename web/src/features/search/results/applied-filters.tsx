import type { DatasetDescription } from "@fairway/contract/datasets";
import type { SearchColumns } from "@fairway/contract/derived-columns";
import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconClock } from "#ui/icons/clock.ts";
import { IconFilterPlus } from "#ui/icons/filter-plus.ts";
import { IconLock } from "#ui/icons/lock.ts";
import { IconMap } from "#ui/icons/map.ts";
import { IconPlus } from "#ui/icons/plus.ts";
import { IconPolygon } from "#ui/icons/polygon.ts";
import { IconX } from "#ui/icons/x.ts";
import type { ReactNode } from "react";
import { withoutCell } from "#parts/search-model/cell-filter.ts";
import { isLinked, withoutValue } from "#parts/search-model/filter-list.ts";
import { FilterBar } from "#parts/filters/filter-bar.tsx";
import { chipText, filterText } from "#parts/filters/filter-value.ts";
import { rangeText } from "#parts/search-model/time-range.ts";
import { PartOfRows } from "#parts/reader-part/part-of-rows.tsx";
import { coarseColumnsOf, coarseNote, type ShownForm } from "#parts/reader-part/coarse-columns.ts";
import type { FormFilter } from "#parts/search-model/form-filter.ts";
import { hasValue } from "#parts/search-model/search-data.ts";
import type { SearchFilters, TimeRangeFilter } from "#parts/search-model/search-record.ts";
import { Toolbar } from "#ui/toolbar.tsx";
import classes from "./results-page.module.css";

interface Props {
  description: DatasetDescription;
  filters: SearchFilters;
  /** Columns that the search adds to those of its dataset. */
  added: SearchColumns | undefined;
  /** Names what is typed in the filter bar. */
  draftName: string;
  canAdd: boolean;
  onAdd: () => void;
  onEdit: (filter: FormFilter) => void;
  /** Null where the dataset takes no alternatives. */
  onAddAlternative: ((filter: FormFilter) => void) | null;
  onEditTime: () => void;
  onShowArea: () => void;
  onChange: (filters: SearchFilters) => void;
  /** At the end of the bar. */
  children?: ReactNode;
}

/** The filters of the shown results. Changing one searches again. */
export function AppliedFilters({
  description,
  filters,
  added,
  draftName,
  canAdd,
  onAdd,
  onEdit,
  onAddAlternative,
  onEditTime,
  onShowArea,
  onChange,
  children,
}: Props) {
  const { supportsTimeRange } = description.filterSupport;
  // The filters scroll on one line there, and the end of it is out of sight.
  const isOneLine = useMediaQuery("(max-width: 720px), (max-height: 480px)", undefined, { getInitialValueInEffect: false });
  const part = <PartOfRows access={description.access} />;
  const { columns } = description.schema;
  const coarse = coarseColumnsOf(description);
  // Stays while its last filter is applied.
  const canType = canAdd || filters.dynamic.some((filter) => !filter.preFilled && !isLinked(filter));
  const applied = filters.dynamic.filter(hasValue);
  const remove = (filter: FormFilter) => onChange({ ...filters, dynamic: withoutValue(description, filters.dynamic, filter) });
  return (
    <div className={classes["filters"]} role="group" aria-label="Filters applied">
      {canType && (
        <div className={classes["typed"]}>
          <FilterBar
            key={draftName}
            description={description}
            filters={filters}
            added={added}
            draftName={draftName}
            onChange={(dynamic) => onChange({ ...filters, dynamic })}
          />
        </div>
      )}
      <Toolbar label="Filters" className={classes["chips"]}>
        {isOneLine && part}
        {filters.timeRange && (
          <Chip
            icon={<IconClock size={14} aria-hidden />}
            text={filters.timeRange.text}
            {...(filters.timeRange.last ? absoluteRange(filters.timeRange) : {})}
            onEdit={onEditTime}
            removeLabel="Remove time range"
            onRemove={() => onChange({ ...filters, timeRange: null })}
          />
        )}
        {filters.geospatial && (
          <Chip
            icon={<IconPolygon size={14} aria-hidden />}
            text={filters.geospatial.text}
            editLabel={`Show ${filters.geospatial.text}`}
            onEdit={onShowArea}
            removeLabel="Remove area"
            onRemove={() => onChange({ ...filters, geospatial: null })}
          />
        )}
        {filters.within && (
          <Chip
            icon={<IconMap size={14} aria-hidden />}
            text={filters.within.text}
            removeLabel="Remove map cell"
            onRemove={() => onChange(withoutCell(filters))}
          />
        )}
        {applied.map((filter) =>
          filter.preFilled || isLinked(filter) ? (
            <Chip
              key={filter.id}
              icon={<IconLock size={14} aria-label="Locked" />}
              text={chipText(filter, columns)}
              title={filter.preFilled ? "Set by the dataset for every search." : "Set by the link you followed to this search."}
            />
          ) : (
            <Chip
              key={filter.id}
              text={chipText(filter, columns)}
              {...coarseChip(coarse.get(filter.name), filterText(filter, columns))}
              onEdit={() => onEdit(filter)}
              {...(onAddAlternative && !filter.required ? { onAddAlternative: () => onAddAlternative(filter) } : {})}
              {...(filter.required ? {} : { removeLabel: `Remove filter ${filter.display}`, onRemove: () => remove(filter) })}
            />
          ),
        )}
        {supportsTimeRange && !filters.timeRange && <AddButton label="Add time range" onClick={onEditTime} />}
        {canAdd && <AddButton label="Add filter" onClick={onAdd} />}
        {!supportsTimeRange && !canAdd && applied.length === 0 && <span className={classes["quiet"]}>This dataset offers no filters.</span>}
        {!isOneLine && part}
        {children}
      </Toolbar>
    </div>
  );
}

/** The mark of a filter on coarse values, which its title explains. */
const coarseChip = (form: ShownForm | undefined, title: string): { title: string; icon?: ReactNode } =>
  form === undefined ? { title } : { icon: <span aria-hidden>≈</span>, title: `${title}\n${coarseNote(form)}` };

/** The absolute time range that a relative one had when the search ran. */
function absoluteRange(range: TimeRangeFilter): { title: string; editLabel: string } {
  const title = rangeText(range);
  return { title, editLabel: `Edit filter ${range.text}, ${title}` };
}

function AddButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button variant="subtle" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={onClick}>
      {label}
    </Button>
  );
}

interface ChipProps {
  icon?: ReactNode;
  text: string;
  title?: string;
  onEdit?: () => void;
  editLabel?: string;
  onAddAlternative?: () => void;
  onRemove?: () => void;
  removeLabel?: string;
}

function Chip({ icon, text, title = text, onEdit, editLabel = `Edit filter ${text}`, onAddAlternative, onRemove, removeLabel }: ChipProps) {
  const label = (
    <>
      {icon}
      <span>{text}</span>
    </>
  );
  return (
    <span className={classes["chip"]} title={title}>
      {onEdit ? (
        <button type="button" className={classes["chipText"]} aria-label={editLabel} onClick={onEdit}>
          {label}
        </button>
      ) : (
        <span className={classes["chipText"]}>{label}</span>
      )}
      {onAddAlternative && (
        <button
          type="button"
          className={classes["chipRemove"]}
          aria-label={`Add alternative to ${text}`}
          title="Add alternative"
          onClick={onAddAlternative}
        >
          <IconFilterPlus size={14} aria-hidden />
        </button>
      )}
      {onRemove && (
        <button type="button" className={classes["chipRemove"]} aria-label={removeLabel} title={removeLabel} onClick={onRemove}>
          <IconX size={14} aria-hidden />
        </button>
      )}
    </span>
  );
}

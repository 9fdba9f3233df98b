import type { Column } from "@fairway/contract/columns";
import type { FieldFilter } from "@fairway/contract/datasets";
import { ActionIcon, NativeSelect } from "@mantine/core";
import { IconLock } from "#ui/icons/lock.ts";
import { IconPencil } from "#ui/icons/pencil.ts";
import { IconX } from "#ui/icons/x.ts";
import { useId, useState } from "react";
import { runAfterPointerUp } from "#ui/run-after-pointer-up.ts";
import { Hint } from "#ui/hint.tsx";
import type { ShownForm } from "#parts/reader-part/coarse-columns.ts";
import { CoarseMark } from "#parts/reader-part/coarse-mark.tsx";
import { allowedOperators } from "#parts/search-model/filter-list.ts";
import { type FormFilter, isCompared } from "#parts/search-model/form-filter.ts";
import { conditionText } from "#parts/search-model/search-data.ts";
import { chipText, emptyOperators, filterText, filterProblem, isTimeType, valueText, zoneNote } from "./filter-value.ts";
import { FilterValueInput } from "./filter-value-input.tsx";
import classes from "./filters.module.css";

interface FieldProps {
  filter: FormFilter;
  columns: readonly Column[];
  /** Shown in small print after the name. */
  unit?: string | undefined;
  /** How the values of its column are coarse to the reader. */
  coarse?: ShownForm | undefined;
  /** Places the name beside the control, as in a list of filters. */
  inline?: boolean;
  /** Shows problems at once, not only after the field lost focus. */
  showProblems?: boolean;
  onChange: (filter: FormFilter) => void;
  /** Present when the filter can be removed, and edited in the dialog. */
  onRemove?: (() => void) | undefined;
  onEdit?: (() => void) | undefined;
}

type ComparisonProps = Omit<FieldProps, "filter" | "columns"> & { filter: FieldFilter };

/** One filter of a form: name, operator and value. Pre-filled filters are locked. */
export function FilterField({ filter, columns, ...rest }: FieldProps) {
  return isCompared(filter) ? (
    <ComparisonField filter={filter} {...rest} />
  ) : (
    <FurtherFilterField filter={filter} columns={columns} {...rest} />
  );
}

/** A list, range, text, part of the calendar or alternatives, as they are typed. The dialog edits them. */
function FurtherFilterField({ filter, columns, coarse, inline = false, onRemove, onEdit }: FieldProps) {
  const text = chipText(filter, columns);
  return (
    <div className={classes["field"]} data-filter={filter.id} data-inline={inline || undefined}>
      <span className={classes["label"]}>
        {filter.display}
        <CoarseMark form={coarse} />
      </span>
      <div className={classes["row"]}>
        <span className={classes["further"]} title={filterText(filter, columns)}>
          {text}
        </span>
        {onEdit && (
          <IconButton label={`Edit filter ${text}`} onClick={onEdit}>
            <IconPencil size={16} aria-hidden />
          </IconButton>
        )}
        {onRemove && (
          <IconButton label={`Remove filter ${text}`} onClick={onRemove}>
            <IconX size={16} aria-hidden />
          </IconButton>
        )}
      </div>
    </div>
  );
}

function ComparisonField({ filter, unit, coarse, inline = false, showProblems = false, onChange, onRemove, onEdit }: ComparisonProps) {
  const id = useId();
  const [touched, setTouched] = useState(false);
  const problem = touched || showProblems ? filterProblem(filter) : undefined;
  const { display, description, operator } = filter;
  const operators = filter.value === null ? emptyOperators : allowedOperators(filter);
  const note = isTimeType(filter.type) ? zoneNote(filter) : unit;
  if (filter.preFilled) return <LockedFilter filter={filter} note={note} />;
  return (
    <div className={classes["field"]} data-filter={filter.id} data-inline={inline || undefined}>
      <div className={classes["label"]}>
        <label htmlFor={id} data-required={filter.required || undefined}>
          {display}
        </label>
        {note !== undefined && <small>{note}</small>}
        <CoarseMark form={coarse} />
      </div>
      <div className={classes["row"]}>
        <NativeSelect
          className={classes["operator"] ?? ""}
          aria-label={`Operator of ${display}`}
          value={operator}
          onChange={(event) => {
            const chosen = operators.find((candidate) => candidate === event.currentTarget.value);
            if (chosen) onChange({ ...filter, operator: chosen });
          }}
          data={[...operators]}
        />
        <FilterValueInput
          id={id}
          filter={filter}
          problem={problem}
          describedBy={problem === undefined && description === "" ? undefined : `${id}-about`}
          onChange={(value) => {
            setTouched(false);
            onChange({ ...filter, value });
          }}
          onBlur={() => runAfterPointerUp(() => setTouched(true))}
        />
        {onEdit && (
          <IconButton label={`Edit filter ${display}`} onClick={onEdit}>
            <IconPencil size={16} aria-hidden />
          </IconButton>
        )}
        {onRemove && (
          <IconButton label={`Remove filter ${display}`} onClick={onRemove}>
            <IconX size={16} aria-hidden />
          </IconButton>
        )}
      </div>
      {(problem !== undefined || description !== "") && (
        <p id={`${id}-about`} className={problem === undefined ? classes["about"] : classes["problem"]}>
          {problem ?? description}
        </p>
      )}
    </div>
  );
}

function LockedFilter({ filter, note }: { filter: FieldFilter; note: string | undefined }) {
  const { display, operator, value } = filter;
  return (
    <div className={classes["field"]} role="group" aria-label={`${display}, locked`}>
      <span className={classes["label"]}>
        {display}
        {note !== undefined && <small>{note}</small>}
      </span>
      <div className={classes["locked"]}>
        <IconLock size={16} aria-hidden />
        <span>{value === null ? conditionText("", operator, null).trim() : `${operator} ${valueText(filter, value)}`}</span>
      </div>
      <p className={classes["about"]}>Set by the dataset for every search.</p>
    </div>
  );
}

function IconButton({ label, onClick, children }: { label: string; onClick: () => void; children: React.ReactNode }) {
  return (
    <Hint label={label}>
      <ActionIcon variant="subtle" color="gray" size={32} aria-label={label} onClick={onClick} ml="xs" flex="none">
        {children}
      </ActionIcon>
    </Hint>
  );
}

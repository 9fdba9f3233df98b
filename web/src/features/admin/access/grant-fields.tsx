import { accessLimits } from "@fairway/contract/dataset-access";
import { Button, Flex, Group, NativeSelect, Stack, Textarea } from "@mantine/core";
import { useId } from "react";
import { TimeValueInput } from "#parts/filters/time-value-input.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { IconPlus } from "#ui/icons/plus.ts";
import { IconX } from "#ui/icons/x.ts";
import { useAccessForm } from "./access-context.ts";
import { fieldOfColumn, type FilterDraft, type GrantDraft, newFilter, isStoredMoment } from "./access-draft.ts";
import { FilterFields } from "./filter-fields.tsx";
import { ReaderPicker } from "./reader-picker.tsx";
import classes from "./access.module.css";

interface Props {
  grant: GrantDraft;
  /** Of the grant among the rules. */
  path: string;
  onChange: (changed: Partial<GrantDraft>) => void;
  onRemove: (() => void) | undefined;
}

/** Readers, and the rows that they see: all, or those of filters, a time range and an area. */
export function GrantFields({ grant, path, onChange, onRemove }: Props) {
  const { storedColumns, problemAt } = useAccessForm();
  const { roles, isAll, filters } = grant;
  const [first] = storedColumns;
  const rowsProblem = problemAt(`${path}.rows`);
  return (
    <Stack gap="sm">
      <Flex gap="sm" align="flex-start" wrap="wrap">
        <div className={classes["holders"]}>
          <ReaderPicker
            label="Holders of"
            value={roles}
            takesEveryone
            error={problemAt(`${path}.roles`)}
            onChange={(chosen) => onChange({ roles: chosen })}
          />
        </div>
        <NativeSelect
          aria-label="Rows they see"
          value={isAll ? "all" : "some"}
          error={rowsProblem}
          data={[
            { value: "all", label: "see all rows" },
            { value: "some", label: "see rows where" },
          ]}
          onChange={(event) => {
            const all = event.currentTarget.value === "all";
            const isEmpty = filters.length === 0 && grant.timeRange === null && grant.area === null;
            onChange({ isAll: all, ...(!all && isEmpty && first ? { filters: [newFilter(first)] } : {}) });
          }}
        />
        {onRemove && (
          <IconButton label="Remove grant" onClick={onRemove}>
            <IconX size={16} aria-hidden />
          </IconButton>
        )}
      </Flex>
      {!isAll && <RowConditions grant={grant} path={`${path}.rows`} onChange={onChange} />}
    </Stack>
  );
}

function RowConditions({ grant: { filters, timeRange, area }, path, onChange }: Omit<Props, "onRemove">) {
  const { dataset, storedColumns, problemUnder } = useAccessForm();
  const [first] = storedColumns;
  const isFull = filters.length >= accessLimits.filtersOfGrant;
  const setFilter = (index: number, changed: FilterDraft) => onChange({ filters: filters.with(index, changed) });
  return (
    <>
      {filters.map((filter, index) => (
        <FilterFields
          key={filter.key}
          filter={filter}
          path={`${path}.filters.${index}`}
          onChange={(changed) => setFilter(index, changed)}
          onRemove={() => onChange({ filters: filters.toSpliced(index, 1) })}
        />
      ))}
      {timeRange !== null && (
        <TimeFields
          timeRange={timeRange}
          path={`${path}.timeRange`}
          onChange={(changed) => onChange({ timeRange: changed })}
          onRemove={() => onChange({ timeRange: null })}
        />
      )}
      {area !== null && (
        <Flex gap="xs" align="flex-start">
          <Textarea
            label="Area"
            description="A polygon a line: longitude and latitude of its corners, such as -97 25, -80 25, -80 32."
            inputWrapperOrder={["label", "input", "description", "error"]}
            flex={1}
            autosize
            minRows={2}
            maxRows={6}
            spellCheck={false}
            value={area}
            error={problemUnder(`${path}.geospatial`)}
            onChange={(event) => onChange({ area: event.currentTarget.value })}
          />
          <IconButton label="Remove area" onClick={() => onChange({ area: null })}>
            <IconX size={16} aria-hidden />
          </IconButton>
        </Flex>
      )}
      <Group gap="sm">
        {first && <AddButton label="Add filter" disabled={isFull} onAdd={() => onChange({ filters: [...filters, newFilter(first)] })} />}
        {dataset.temporalField !== null && timeRange === null && (
          <AddButton label="Add time range" onAdd={() => onChange({ timeRange: { start: "", end: "" } })} />
        )}
        {dataset.locationField !== null && area === null && <AddButton label="Add area" onAdd={() => onChange({ area: "" })} />}
        {isFull && <span className={classes["about"]}>{`A grant can have ${accessLimits.filtersOfGrant} filters.`}</span>}
      </Group>
    </>
  );
}

function AddButton({ label, disabled = false, onAdd }: { label: string; disabled?: boolean; onAdd: () => void }) {
  return (
    <Button variant="subtle" size="compact-md" leftSection={<IconPlus size={16} aria-hidden />} disabled={disabled} onClick={onAdd}>
      {label}
    </Button>
  );
}

interface TimeFieldsProps {
  timeRange: NonNullable<GrantDraft["timeRange"]>;
  path: string;
  onChange: (changed: NonNullable<GrantDraft["timeRange"]>) => void;
  onRemove: () => void;
}

function TimeFields({ timeRange, path, onChange, onRemove }: TimeFieldsProps) {
  const { problemAt } = useAccessForm();
  return (
    <Flex gap="xs" align="flex-end">
      <Flex gap="sm" wrap="wrap" flex={1}>
        <End edge="start" label="From" {...{ timeRange, path, onChange }} />
        <End edge="end" label="Until" {...{ timeRange, path, onChange }} />
        {problemAt(path) !== undefined && <p className={classes["problem"]}>{problemAt(path)}</p>}
      </Flex>
      <IconButton label="Remove time range" onClick={onRemove}>
        <IconX size={16} aria-hidden />
      </IconButton>
    </Flex>
  );
}

function End({ edge, label, timeRange, path, onChange }: Omit<TimeFieldsProps, "onRemove"> & { edge: "start" | "end"; label: string }) {
  const id = useId();
  const { problemAt } = useAccessForm();
  const problem = problemAt(`${path}.${edge}`);
  const value = timeRange[edge];
  const field = fieldOfColumn({ name: edge, type: "TIMESTAMP_MILLS", description: "", combined: null });
  return (
    <div className={classes["end"]}>
      <label htmlFor={id}>
        {label} <small>UTC, included</small>
      </label>
      <TimeValueInput
        id={id}
        filter={{ ...field, display: label, value }}
        edge={edge}
        error={problem !== undefined || problemAt(path) !== undefined}
        onChange={(changed) => {
          if (!isStoredMoment(value, changed, edge)) onChange({ ...timeRange, [edge]: String(changed) });
        }}
      />
      {problem !== undefined && <p className={classes["problem"]}>{problem}</p>}
    </div>
  );
}

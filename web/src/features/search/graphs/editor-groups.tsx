import { formatCount, plural } from "@fairway/contract/counts";
import { columnTitle, type Operator, operator, operatorsOf } from "@fairway/contract/columns";
import type { DatasetDescription, FieldFilter } from "@fairway/contract/datasets";
import type { SearchColumns } from "@fairway/contract/derived-columns";
import { Box, Button, NativeSelect, Stack, TextInput } from "@mantine/core";
import { IconPlus } from "#ui/icons/plus.ts";
import { IconX } from "#ui/icons/x.ts";
import { columnFilter } from "#parts/search-model/filter-list.ts";
import { emptyOperators } from "#parts/filters/filter-value.ts";
import { FilterValueInput } from "#parts/filters/filter-value-input.tsx";
import { SuggestionSourceContext } from "#parts/filters/suggestion-source.ts";
import { newCondition, newGrouping } from "#features/search/graphs/model/graph-draft.ts";
import { dayWidths, groupsOf, type Range } from "@fairway/contract/charts/graph-groups";
import { conditionColumns } from "#features/search/graphs/model/graph-validity.ts";
import { uniqueLabels } from "@fairway/contract/charts/graph-wording";
import { type Condition, type GraphDefinition, type Grouping, isRound } from "@fairway/contract/charts/graph";
import type { SearchFilters } from "#parts/search-model/search-record.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { GraphColorMenu } from "./color-menu.tsx";
import classes from "./graphs.module.css";

interface CustomProps {
  description: DatasetDescription;
  /** Those of the search. Suggested values are those of its rows. */
  filters: SearchFilters;
  /** Columns that the search adds to those of its dataset. */
  added: SearchColumns | undefined;
  groupings: readonly Grouping[];
  maxConditions: number;
  showsColors: boolean;
  onChange: (groupings: Grouping[]) => void;
}

/** Edits custom groups, in the order of the graph. The group for the rest stays the last. */
export function CustomGroups({ description, filters, added, groupings, maxConditions, showsColors, onChange }: CustomProps) {
  const rest = groupings.filter(({ isRest }) => isRest);
  const others = groupings.filter(({ isRest }) => isRest !== true);
  const names = uniqueLabels(groupings.map(({ label }, index) => (label.trim() === "" ? `Group ${index + 1}` : label)));
  return (
    <div role="group" aria-label="Groupings">
      <div className={classes["section"]}>
        <h3>Groupings</h3>
        <span className={classes["count"]}>{`${groupings.length} ${plural(groupings.length, "group")}`}</span>
      </div>
      <Stack gap="xs">
        {groupings.map((grouping, index) => (
          <CustomGroup
            key={grouping.id}
            description={description}
            filters={filters}
            added={added}
            grouping={grouping}
            name={names[index] ?? ""}
            maxConditions={maxConditions}
            showsColor={showsColors}
            onChange={(changed) => onChange(groupings.with(index, changed))}
            onRemove={() => onChange(groupings.filter((other) => other !== grouping))}
          />
        ))}
      </Stack>
      <div className={classes["adds"]}>
        <Button
          variant="subtle"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => onChange([...others, newGrouping(description, others), ...rest])}
        >
          Add group
        </Button>
      </div>
    </div>
  );
}

interface GroupProps {
  description: DatasetDescription;
  filters: SearchFilters;
  added: SearchColumns | undefined;
  grouping: Grouping;
  name: string;
  maxConditions: number;
  showsColor: boolean;
  onChange: (grouping: Grouping) => void;
  onRemove: () => void;
}

function CustomGroup({ description, filters, added, grouping, name, maxConditions, showsColor, onChange, onRemove }: GroupProps) {
  const { conditions } = grouping;
  // A row is in the group if all of its conditions hold.
  const ownFilters = conditions.flatMap((condition) => conditionFilter(description, condition) ?? []);
  const source = { description, filters: { ...filters, dynamic: [...filters.dynamic, ...ownFilters] }, added };
  const changeCondition = (index: number, change: Partial<Condition>) => {
    const condition = conditions[index];
    if (condition) onChange({ ...grouping, conditions: conditions.with(index, { ...condition, ...change }) });
  };
  return (
    <div className={classes["item"]} role="group" aria-label={name}>
      <div className={classes["row"]}>
        {showsColor && <GraphColorMenu of={name} value={grouping.color} onChange={(color) => onChange({ ...grouping, color })} />}
        <TextInput
          aria-label={`Label of ${name}`}
          placeholder="Label"
          value={grouping.label}
          maxLength={200}
          onChange={(event) => onChange({ ...grouping, label: event.currentTarget.value })}
          autoComplete="off"
        />
        <IconButton label={`Remove ${name}`} onClick={onRemove}>
          <IconX size={16} aria-hidden />
        </IconButton>
      </div>
      {grouping.isRest && <p className={classes["restNote"]}>Rows that are in none of the other groups</p>}
      <SuggestionSourceContext value={source}>
        {conditions.map((condition, index) => (
          <ConditionRow
            key={condition.id}
            description={description}
            condition={condition}
            name={`condition ${index + 1}`}
            isFirst={index === 0}
            onChange={(change) => changeCondition(index, change)}
            onRemove={() => onChange({ ...grouping, conditions: conditions.filter((other) => other !== condition) })}
          />
        ))}
      </SuggestionSourceContext>
      {!grouping.isRest && (
        <div className={classes["row"]}>
          <Button
            variant="subtle"
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={conditions.length >= maxConditions}
            onClick={() => onChange({ ...grouping, conditions: [...conditions, newCondition(description)] })}
          >
            Add condition
          </Button>
          <Box component="span" flex={1} />
          <span className={classes["count"]}>{`${conditions.length} of ${maxConditions}`}</span>
        </div>
      )}
    </div>
  );
}

/** A condition as a filter of its own; undefined if the dataset has no such column. */
function conditionFilter(description: DatasetDescription, { id, model, operator: sign, value }: Condition): FieldFilter | undefined {
  const column = conditionColumns(description).find(({ name }) => name === model);
  return column && { ...columnFilter(column, []), id, operator: sign, value };
}

interface ConditionProps {
  description: DatasetDescription;
  condition: Condition;
  name: string;
  isFirst: boolean;
  onChange: (change: Partial<Condition>) => void;
  onRemove: () => void;
}

function ConditionRow({ description, condition, name, isFirst, onChange, onRemove }: ConditionProps) {
  const filter = conditionFilter(description, condition);
  const columns = conditionColumns(description);
  const column = columns.find(({ name }) => name === condition.model);
  const operators = condition.value === null ? emptyOperators : column ? operatorsOf(column.type) : operator.options;
  const choose = (model: string) => {
    const next = columns.find(({ name }) => name === model);
    const supported: readonly Operator[] = next ? operatorsOf(next.type) : operator.options;
    // A value of another type would be invalid.
    onChange({
      model,
      operator: supported.includes(condition.operator) ? condition.operator : "=",
      value: next?.type === column?.type ? condition.value : "",
    });
  };
  return (
    <div className={classes["condition"]}>
      <NativeSelect
        aria-label={`Column of ${name}`}
        value={condition.model}
        onChange={(event) => choose(event.currentTarget.value)}
        data={[...(column ? [] : [condition.model]), ...columns.map((one) => ({ value: one.name, label: columnTitle(one) }))]}
      />
      <NativeSelect
        aria-label={`Operator of ${name}`}
        value={condition.operator}
        onChange={(event) => onChange({ operator: operators.find((option) => option === event.currentTarget.value) ?? "=" })}
        data={[...operators]}
      />
      {filter && (
        <FilterValueInput
          id={`condition-${condition.id}`}
          label={`Value of ${name}`}
          filter={filter}
          onChange={(value) => onChange({ value })}
        />
      )}
      {!isFirst && (
        <IconButton label={`Remove ${name}`} onClick={onRemove}>
          <IconX size={16} aria-hidden />
        </IconButton>
      )}
    </div>
  );
}

const maxListed = 50;

/** `days`, `hours`, or `groups` of several days. */
function unitOf({ groupingType, days = 1 }: GraphDefinition, count: number): string {
  if (groupingType === "hour") return "hours";
  return days > 1 ? plural(count, "group") : "days";
}

interface TemporalProps {
  draft: GraphDefinition;
  range: Range | null;
  count: number;
  onChange: (groupings: Grouping[]) => void;
  onDays: (days: number) => void;
}

/** Shows the number of groups, for days how many make one, and, for round charts, their colors. */
export function TemporalGroups({ draft, range, count, onChange, onDays }: TemporalProps) {
  const { days = 1 } = draft;
  const widths = dayWidths.some((width) => width === days) ? dayWidths : [days, ...dayWidths];
  const listed = isRound(draft) && count <= maxListed ? groupsOf(draft, range) : [];
  const setColor = (id: string, color: string) =>
    onChange([...draft.groupings.filter((other) => other.id !== id), { id, label: "", conditions: [], color }]);
  return (
    <div role="group" aria-label="Groupings">
      <div className={classes["section"]}>
        <h3>Groupings</h3>
        <span className={classes["count"]}>{`${formatCount(count)} ${unitOf(draft, count)} (UTC)`}</span>
      </div>
      {draft.groupingType === "day" && range && (
        <NativeSelect
          aria-label="Days per group"
          value={String(days)}
          onChange={(event) => onDays(Number(event.currentTarget.value))}
          data={widths.map((width) => ({ value: String(width), label: width === 1 ? "each day" : `every ${width} days` }))}
        />
      )}
      {listed.length > 0 && (
        <div className={classes["days"]}>
          {listed.map(({ id, label, color }) => (
            <div key={id} className={classes["row"]}>
              <GraphColorMenu of={label} value={color} onChange={(chosen) => setColor(id, chosen)} />
              {label}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

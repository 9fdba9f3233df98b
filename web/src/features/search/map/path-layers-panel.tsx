import { type Column, columnTitle } from "@fairway/contract/columns";
import { Button, Checkbox, NativeSelect, Text, TextInput } from "@mantine/core";
import { IconPlus } from "#ui/icons/plus.ts";
import { IconTrash } from "#ui/icons/trash.ts";
import { IconX } from "#ui/icons/x.ts";
import { type ReactNode, useEffect, useId, useRef } from "react";
import {
  type HighlightCondition,
  highlightOperators,
  type LayerProblem,
  layerProblems,
  maxLayers,
  pathColorNames,
  pathColors,
  type PathLayer,
  withLayer,
} from "#features/search/map/model/path-layers.ts";
import { describedBy } from "#ui/described-by.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { useFocusReturn } from "#ui/dialog/use-focus-return.ts";
import { PathGapField } from "./path-gap-field.tsx";
import { useDebouncedEdit } from "./use-debounced-edit.ts";
import classes from "./frame/map.module.css";

interface Props {
  name: string;
  columns: readonly Column[];
  layers: readonly PathLayer[];
  onChange: (layers: readonly PathLayer[]) => void;
  /** Undefined unless other paths are visible. */
  onUseForAll: ((layers: readonly PathLayer[]) => void) | undefined;
  /** The column whose values color the layer of all positions. */
  coloredBy: string | null;
  /** A warning about the path. */
  warning: ReactNode;
  gapMs: number;
  portalGapMs: number;
  onGap: (gapMs: number | null) => void;
  onClose: () => void;
}

/** The layers of one item's path. Edits are drawn once they are complete and typing has paused. */
export function PathLayersPanel({
  name,
  columns,
  layers,
  onChange,
  onUseForAll,
  coloredBy,
  warning,
  gapMs,
  portalGapMs,
  onGap,
  onClose,
}: Props) {
  const plain = columns.filter(({ combined }) => combined === null);
  const [draft, setDraft] = useDebouncedEdit(layers, onChange, (edited) => layerProblems(edited, columns).length === 0);
  const problems = layerProblems(draft, columns);
  const card = useRef<HTMLElement>(null);
  useFocusReturn(card);
  const closeButton = useRef<HTMLButtonElement>(null);
  useEffect(() => closeButton.current?.focus({ preventScroll: true }), []);
  const edit = (id: string, change: Partial<PathLayer>) =>
    setDraft(draft.map((layer) => (layer.id === id ? Object.assign({}, layer, change) : layer)));
  const add = () => {
    const column = plain.find(({ type }) => type === "integer" || type === "decimal") ?? plain[0];
    setDraft(withLayer(draft, { column: column?.name ?? "", operator: ">=", value: "" }));
  };
  const listProblem = problems.find(({ layer }) => layer === null);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes the card
    <section
      ref={card}
      className={`${classes["card"]} ${classes["layers"]}`}
      aria-label={`Path layers of ${name}`}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
    >
      <div className={classes["head"]}>
        <h2>Path layers of {name}</h2>
        <IconButton ref={closeButton} label="Close path layers" onClick={onClose}>
          <IconX size={16} aria-hidden />
        </IconButton>
      </div>
      <div className={classes["body"]}>
        {warning}
        {listProblem && (
          <Text role="alert" size="xs" c="red">
            {listProblem.text}
          </Text>
        )}
        {draft.map((layer, index) => (
          <Layer
            key={layer.id}
            layer={layer}
            number={index + 1}
            coloredBy={coloredBy}
            columns={plain}
            problem={problems.find((problem) => problem.layer === layer.id)}
            onEdit={(change) => edit(layer.id, change)}
            onRemove={() => setDraft(draft.filter(({ id }) => id !== layer.id))}
          />
        ))}
        <Button
          variant="subtle"
          size="xs"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={draft.length >= maxLayers}
          onClick={add}
        >
          Add layer
        </Button>
        {onUseForAll && (
          <Button variant="subtle" size="xs" disabled={problems.length > 0} onClick={() => onUseForAll(draft)}>
            Use for all visible paths
          </Button>
        )}
        <PathGapField gapMs={gapMs} portalGapMs={portalGapMs} onChange={onGap} />
      </div>
    </section>
  );
}

interface LayerProps {
  layer: PathLayer;
  number: number;
  coloredBy: string | null;
  columns: readonly Column[];
  problem: LayerProblem | undefined;
  onEdit: (change: Partial<PathLayer>) => void;
  onRemove: () => void;
}

function Layer({ layer: { color, isActive, condition }, number, coloredBy, columns, problem, onEdit, onRemove }: LayerProps) {
  const id = useId();
  const column = columns.find(({ name }) => name === condition?.column);
  const editCondition = (change: Partial<HighlightCondition>) => {
    if (condition) onEdit({ condition: { ...condition, ...change } });
  };
  const columnOperators = highlightOperators(column);
  const operators =
    condition && !columnOperators.some((known) => known === condition.operator)
      ? [condition.operator, ...columnOperators]
      : columnOperators;
  return (
    <div role="group" aria-label={`Layer ${number}`} className={classes["layer"]}>
      <div className={classes["layerHead"]}>
        <Checkbox
          label={condition !== null ? "Highlight" : coloredBy === null ? "All positions" : `Colored by ${coloredBy}`}
          aria-label={`Layer ${number} active`}
          checked={isActive}
          onChange={(event) => onEdit({ isActive: event.currentTarget.checked })}
        />
        {!(condition === null && coloredBy !== null) && (
          <>
            <i className={classes["swatch"]} style={{ background: `var(--${color})` }} />
            <NativeSelect
              aria-label={`Color of layer ${number}`}
              size="xs"
              value={color}
              onChange={(event) => {
                const chosen = pathColors.find((known) => known === event.currentTarget.value);
                if (chosen) onEdit({ color: chosen });
              }}
              data={pathColors.map((value) => ({ value, label: pathColorNames[value] }))}
            />
          </>
        )}
        {condition !== null && (
          <IconButton label={`Remove layer ${number}`} onClick={onRemove}>
            <IconTrash size={16} aria-hidden />
          </IconButton>
        )}
      </div>
      {condition && (
        <div className={classes["condition"]}>
          <NativeSelect
            aria-label={`Column of layer ${number}`}
            size="xs"
            value={condition.column}
            onChange={(event) => editCondition({ column: event.currentTarget.value })}
            data={["", ...columns.map((one) => ({ value: one.name, label: columnTitle(one) }))]}
          />
          <NativeSelect
            aria-label={`Operator of layer ${number}`}
            size="xs"
            value={condition.operator}
            onChange={(event) => editCondition({ operator: event.currentTarget.value })}
            data={["", ...operators]}
          />
          <TextInput
            aria-label={`Value of layer ${number}`}
            ref={describedBy(problem ? id : undefined)}
            size="xs"
            value={condition.value}
            error={problem !== undefined}
            onChange={(event) => editCondition({ value: event.currentTarget.value })}
          />
        </div>
      )}
      {problem && (
        <Text id={id} size="xs" c="red">
          {problem.text}
        </Text>
      )}
    </div>
  );
}

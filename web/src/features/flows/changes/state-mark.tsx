import type { FlowDrawingState } from "@fairway/contract/flow-differences";
import { IconArrowRight, IconCircle, IconCursorText, IconMinus, IconPencil, IconPlus, type TablerIcon } from "@tabler/icons-react";
import type { ChangeKind } from "./change-cards.ts";
import classes from "./state-mark.module.css";

type MarkedState = ChangeKind | FlowDrawingState;

const marks: Record<MarkedState, { readonly icon: TablerIcon; readonly label: string }> = {
  added: { icon: IconPlus, label: "Added" },
  removed: { icon: IconMinus, label: "Removed" },
  changed: { icon: IconPencil, label: "Changed" },
  renamed: { icon: IconCursorText, label: "Renamed" },
  moved: { icon: IconArrowRight, label: "Moved" },
  same: { icon: IconCircle, label: "Unchanged" },
};

/** What happened to a component, by sign and color; `hasText` shows the word, too. */
export function StateMark({ state, hasText = false }: { state: MarkedState; hasText?: boolean }) {
  const { icon: Icon, label } = marks[state];
  return (
    <span className={classes["mark"]} data-state={state} title={hasText ? undefined : label}>
      <Icon size={14} stroke={2} aria-hidden />
      <span className={hasText ? undefined : "visually-hidden"}>{label}</span>
    </span>
  );
}

import type { FlowDrawingState } from "@fairway/contract/flow-differences";
import { IconArrowRight } from "#ui/icons/arrow-right.ts";
import { IconCircle } from "#ui/icons/circle.ts";
import { IconCursorText } from "#ui/icons/cursor-text.ts";
import { IconMinus } from "#ui/icons/minus.ts";
import { IconPencil } from "#ui/icons/pencil.ts";
import { IconPlus } from "#ui/icons/plus.ts";
import type { IconComponent } from "#ui/icons/icon.ts";
import type { ChangeKind } from "./change-cards.ts";
import classes from "./changes.module.css";

type MarkedState = ChangeKind | FlowDrawingState;

const marks: Record<MarkedState, { readonly icon: IconComponent; readonly label: string }> = {
  added: { icon: IconPlus, label: "Added" },
  removed: { icon: IconMinus, label: "Removed" },
  changed: { icon: IconPencil, label: "Changed" },
  renamed: { icon: IconCursorText, label: "Renamed" },
  moved: { icon: IconArrowRight, label: "Moved" },
  same: { icon: IconCircle, label: "Unchanged" },
};

/** The change of a component, by sign and color; `hasText` shows the word, too. */
export function StateMark({ state, hasText = false }: { state: MarkedState; hasText?: boolean }) {
  const { icon: Icon, label } = marks[state];
  return (
    <span className={classes["mark"]} data-state={state} title={hasText ? undefined : label}>
      <Icon size={14} stroke={2} aria-hidden />
      <span className={hasText ? undefined : "visually-hidden"}>{label}</span>
    </span>
  );
}

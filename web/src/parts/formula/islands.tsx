import { island } from "#ui/island.tsx";
import classes from "./formula.module.css";

// Both load CodeMirror.
export const AddColumnDialog = island(async () => ({ default: (await import("./add-column-dialog.tsx")).AddColumnDialog }), {
  isLarge: true,
});

/** A formula within a form. */
export const FormulaEditor = island(async () => ({ default: (await import("./formula-fields.tsx")).FormulaFields }), {
  isLarge: true,
  Loading: () => (
    <div aria-hidden>
      <span className={classes["label"]}>Formula</span>
      <div className={classes["placeholder"]} />
    </div>
  ),
});

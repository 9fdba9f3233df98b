import type { CoarseForm } from "@fairway/contract/dataset-access";
import { Toggletip } from "#ui/hint.tsx";
import { coarseNote } from "./coarse-columns.ts";
import classes from "./reader-part.module.css";

/** Marks the title of a column whose values are coarse, and says how. Renders nothing for others. */
export function CoarseMark({ form }: { form: CoarseForm | undefined }) {
  if (form === undefined) return null;
  return (
    <Toggletip label="Coarse values" className={classes["mark"]} tip={coarseNote(form)}>
      ≈
    </Toggletip>
  );
}

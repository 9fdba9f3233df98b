import { Toggletip } from "#ui/hint.tsx";
import { coarseNote, type ShownForm } from "./coarse-columns.ts";
import classes from "./reader-part.module.css";

/** Marks the title of a column whose values are coarse, and says how. Renders nothing for others. */
export function CoarseMark({ form }: { form: ShownForm | undefined }) {
  if (form === undefined) return null;
  return (
    <Toggletip label="Coarse values" className={classes["mark"]} tip={coarseNote(form)}>
      ≈
    </Toggletip>
  );
}

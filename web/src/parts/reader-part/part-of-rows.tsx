import type { ReaderAccess } from "@fairway/contract/dataset-access";
import { IconShieldLock } from "#ui/icons/shield-lock.ts";
import { Toggletip } from "#ui/hint.tsx";
import { partText } from "./part-text.ts";
import classes from "./reader-part.module.css";

interface Props {
  access: ReaderAccess | undefined;
  /** Its name is not visible, where there is little room. */
  isShort?: boolean;
}

/** Says that rules leave the reader some rows of a dataset, and which. Renders nothing where they leave all rows, or none. */
export function PartOfRows({ access, isShort = false }: Props) {
  if (access?.rows !== "some") return null;
  return (
    <Toggletip className={classes["chip"]} tip={<span className={classes["notes"]}>{partText(access)}</span>}>
      <IconShieldLock size={14} aria-hidden />
      <span className={isShort ? "visually-hidden" : undefined}>Part of the rows</span>
    </Toggletip>
  );
}

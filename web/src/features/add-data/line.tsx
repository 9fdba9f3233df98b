import { type ReactNode, useId, useState } from "react";
import { IconChevronRight } from "#ui/icons/chevron-right.ts";
import type { IconComponent } from "#ui/icons/icon.ts";
import classes from "./add-data.module.css";

interface LineProps {
  icon: IconComponent;
  title: string;
  note?: string;
}

/** A line that opens its choices below it. */
export function Line({ icon: Icon, title, note = "", children }: LineProps & { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <li>
      <button type="button" className={classes["line"]} aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        <Icon size={16} aria-hidden />
        <span>
          <b>{title}</b>
          {note !== "" && <small>{note}</small>}
        </span>
        <IconChevronRight size={14} aria-hidden />
      </button>
      <div id={id} className={classes["lineChoices"]} hidden={!isOpen}>
        {isOpen && children}
      </div>
    </li>
  );
}

/** A line without choices. */
export const Note = ({ icon: Icon, title, note }: Required<LineProps>) => (
  <li className={classes["line"]}>
    <Icon size={16} aria-hidden />
    <span>
      <b>{title}</b>
      <small>{note}</small>
    </span>
  </li>
);

import type { ReactNode } from "react";
import type { Find } from "#lib/text/use-find.ts";
import { FindBox } from "#ui/find-box.tsx";
import classes from "./file-preview.module.css";

interface ViewFrameProps {
  children: ReactNode;
  /** Description of the shown content, for the line below. */
  summary: string;
  /** Omitted parts, and the reason. */
  note?: string | undefined;
  find?: Find;
}

/** A preview with its find box and the line that says how much of the file it shows. */
export function ViewFrame({ children, summary, note, find }: ViewFrameProps) {
  return (
    <div className={classes["view"]}>
      {find && <FindBox label="Find in file" find={find} />}
      {children}
      {(summary !== "" || note !== undefined) && (
        <p className={classes["summary"]}>
          {summary}
          {note !== undefined && <span role="note">{note}</span>}
        </p>
      )}
    </div>
  );
}

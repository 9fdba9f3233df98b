import type { ReactNode } from "react";
import { useAnnouncedTitle } from "./announcer.tsx";
import classes from "./page-header.module.css";

/** The one header row of a screen: title over subtitle at the left, actions at the right end. Announces the screen by its h1. */
export function PageHeader({ title, subtitle, children }: { title: string; subtitle?: ReactNode; children?: ReactNode }) {
  useAnnouncedTitle(title);
  return (
    <header className={classes["header"]}>
      <div className={classes["titles"]}>
        <h1 tabIndex={-1}>{title}</h1>
        {subtitle !== undefined && <p className={classes["subtitle"]}>{subtitle}</p>}
      </div>
      {children}
    </header>
  );
}

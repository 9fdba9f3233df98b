import { createContext, type ReactNode, useContext, useEffect } from "react";
import { announce, takeScreenFocus } from "./announcer.tsx";
import classes from "./page-header.module.css";

/** What stands left of every title: the shell's button that opens the second panel, where it is hidden. */
export const PageHeaderLeading = createContext<ReactNode>(null);

/**
 * The one header row of a screen: title over subtitle at the left, actions at the right end.
 * Announces the screen by its h1, which takes the focus after a change of screen.
 */
export function PageHeader({ title, subtitle, children }: { title: string; subtitle?: ReactNode; children?: ReactNode }) {
  const leading = useContext(PageHeaderLeading);
  useEffect(() => {
    announce(title);
    takeScreenFocus();
  }, [title]);
  return (
    <header className={classes["header"]}>
      {leading}
      <div className={classes["titles"]}>
        <h1 tabIndex={-1}>{title}</h1>
        {subtitle !== undefined && <p className={classes["subtitle"]}>{subtitle}</p>}
      </div>
      {children}
    </header>
  );
}

import { createContext, type ReactNode, useContext, useEffect } from "react";
import { announce, takeScreenFocus } from "./announcer.tsx";
import classes from "./page-header.module.css";

/** Rendered left of every title: the shell's button that shows the second panel while it is hidden. */
export const PageHeaderLeading = createContext<ReactNode>(null);

/**
 * The header row of a screen: title over subtitle on the left, actions on the right.
 * Announces the screen by its h1, which receives the focus when the screen changes.
 */
export function PageHeader({ title, subtitle, isSubtitleLong = false, children }: PageHeaderProps) {
  const leading = useContext(PageHeaderLeading);
  useEffect(() => {
    announce(title);
    takeScreenFocus();
  }, [title]);
  return (
    <header className={classes["header"]} data-stacked={isSubtitleLong || undefined}>
      {leading}
      <div className={classes["titles"]}>
        <h1 tabIndex={-1}>{title}</h1>
        {subtitle !== undefined && <div className={classes["subtitle"]}>{subtitle}</div>}
      </div>
      {children}
    </header>
  );
}

interface PageHeaderProps {
  title: string;
  subtitle?: ReactNode;
  /** On a phone, the actions go below the subtitle instead of beside it. */
  isSubtitleLong?: boolean;
  children?: ReactNode;
}

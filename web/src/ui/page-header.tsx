import { createContext, type ReactNode, useContext, useEffect } from "react";
import { announce, takeScreenFocus } from "./announcer.tsx";
import classes from "./ui.module.css";

/** Rendered left of every title: the shell's button that shows the second panel while it is hidden. */
export const PageHeaderLeading = createContext<ReactNode>(null);

interface PageHeaderProps {
  title: string;
  subtitle?: ReactNode;
  /** The subtitle wraps; on a phone, the actions go below it instead of beside it. */
  isSubtitleLong?: boolean;
  /** Next to the title. */
  badges?: ReactNode;
  children?: ReactNode;
}

/**
 * The header row of a screen: title over subtitle on the left, actions on the right.
 * Announces the screen by its h1, which receives the focus when the screen changes.
 */
export function PageHeader({ title, subtitle, isSubtitleLong = false, badges, children }: PageHeaderProps) {
  const leading = useContext(PageHeaderLeading);
  useEffect(() => {
    announce(title);
    takeScreenFocus();
  }, [title]);
  return (
    <header className={classes["header"]} data-stacked={isSubtitleLong || undefined}>
      {leading}
      <div className={classes["titles"]}>
        {badges === undefined ? (
          <h1 tabIndex={-1}>{title}</h1>
        ) : (
          <div className={classes["badged"]}>
            <h1 tabIndex={-1}>{title}</h1>
            {badges}
          </div>
        )}
        {subtitle !== undefined && <div className={classes["subtitle"]}>{subtitle}</div>}
      </div>
      {children}
    </header>
  );
}

import type { IconComponent } from "./icons/icon.ts";
import type { ReactNode } from "react";
import classes from "./ui.module.css";

interface Props {
  icon: IconComponent;
  tone?: "neutral" | "accent" | "warning";
  title?: string;
  children: ReactNode;
}

/** A few words with an icon beside a name. */
export function Badge({ icon: Icon, tone = "neutral", title, children }: Props) {
  return (
    <span className={classes["badge"]} data-tone={tone} title={title}>
      <Icon size={14} stroke={1.75} aria-hidden />
      {children}
    </span>
  );
}

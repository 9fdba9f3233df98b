import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Hint } from "./hint.tsx";
import classes from "./ui.module.css";

interface IconButtonProps extends Omit<ComponentProps<"button">, "aria-label" | "title" | "children"> {
  /** Accessible name and tooltip. */
  label: string;
  /** A 16 px icon. */
  children: ReactNode;
}

/** A 32 px icon-only button. */
export function IconButton({ label, children, className, ...more }: IconButtonProps) {
  return (
    <Hint label={label}>
      <button type="button" {...more} aria-label={label} className={classNames(classes["button"], className)}>
        {children}
      </button>
    </Hint>
  );
}

import { ActionIcon, Tooltip } from "@mantine/core";
import type { KeyboardEvent, ReactNode } from "react";
import classes from "./kit.module.css";

interface FrameProps {
  label: string;
  /** A heading, and lines below it. */
  heading: ReactNode;
  /** Buttons of the head; the last one closes the panel. */
  tools: readonly { label: string; icon: ReactNode; disabled?: boolean; run: () => void }[];
  onKeyDown?: (event: KeyboardEvent) => void;
  /** The name of the body where it has nothing that takes the focus: it is a tab stop then. */
  bodyLabel?: string;
  foot?: ReactNode;
  children: ReactNode;
}

/** The content of a `DetailPanel`: its heading and tools stay where they are, the body scrolls. */
export function DetailFrame({ label, heading, tools, onKeyDown, bodyLabel, foot, children }: FrameProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- shortcuts for the buttons within the panel
    <section className={classes["panel"]} aria-label={label} onKeyDown={onKeyDown}>
      <header className={classes["head"]}>
        <div className={classes["titles"]}>{heading}</div>
        {tools.map((tool) => (
          <Tooltip key={tool.label} label={tool.label} openDelay={400}>
            <ActionIcon variant="subtle" color="gray" size={32} aria-label={tool.label} disabled={tool.disabled} onClick={tool.run}>
              {tool.icon}
            </ActionIcon>
          </Tooltip>
        ))}
      </header>
      <div className={classes["body"]} {...(bodyLabel !== undefined && { tabIndex: 0, role: "region", "aria-label": bodyLabel })}>
        {children}
      </div>
      {foot !== undefined && <footer className={classes["foot"]}>{foot}</footer>}
    </section>
  );
}

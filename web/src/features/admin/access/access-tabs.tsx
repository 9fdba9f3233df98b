import { type KeyboardEvent, useRef } from "react";
import classes from "./access.module.css";

const tabs = [
  { tab: "readers", label: "Readers" },
  { tab: "rows", label: "Rows" },
  { tab: "columns", label: "Columns" },
  { tab: "preview", label: "See it as" },
] as const;
export type AccessTab = (typeof tabs)[number]["tab"];
const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

export const isAccessTab = (name: unknown): name is AccessTab => tabs.some(({ tab }) => tab === name);

interface Props {
  tab: AccessTab;
  panelId: string;
  /** Tabs with fields that were refused. */
  refused: ReadonlySet<AccessTab>;
  onChange: (tab: AccessTab) => void;
}

/** The parts of the dialog. Left and Right change the tab. */
export function AccessTabs({ tab, panelId, refused, onChange }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    const index = tabs.findIndex((one) => one.tab === tab);
    const next = step === undefined ? undefined : tabs.at((index + step) % tabs.length);
    if (!next) return;
    event.preventDefault();
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.tab}"]`)?.focus();
    onChange(next.tab);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the focus is on its tabs
    <div ref={list} role="tablist" aria-label="Access" className={classes["tabs"]} onKeyDown={onKeyDown}>
      {tabs.map((one) => (
        <button
          key={one.tab}
          type="button"
          role="tab"
          id={`${panelId}-${one.tab}`}
          data-tab={one.tab}
          aria-selected={one.tab === tab}
          aria-controls={panelId}
          tabIndex={one.tab === tab ? 0 : -1}
          data-refused={refused.has(one.tab) || undefined}
          onClick={() => {
            if (one.tab !== tab) onChange(one.tab);
          }}
        >
          {one.label}
          {refused.has(one.tab) && <span className="visually-hidden">(has problems)</span>}
        </button>
      ))}
    </div>
  );
}

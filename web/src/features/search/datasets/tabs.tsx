import { type KeyboardEvent, useRef } from "react";
import classes from "./datasets.module.css";

export type DatasetsTab = "datasets" | "groups";

const tabs: readonly { tab: DatasetsTab; label: string }[] = [
  { tab: "datasets", label: "Datasets" },
  { tab: "groups", label: "Dataset Groups" },
];
const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

interface Props {
  tab: DatasetsTab;
  panelId: string;
  onChange: (tab: DatasetsTab) => void;
}

/** One dataset or a group of them. Left and Right change the tab. */
export function DatasetsTabs({ tab, panelId, onChange }: Props) {
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
    <div ref={list} role="tablist" aria-label="What to search" className={classes["tabs"]} onKeyDown={onKeyDown}>
      {tabs.map((one) => (
        <button
          key={one.tab}
          type="button"
          role="tab"
          data-tab={one.tab}
          aria-selected={one.tab === tab}
          aria-controls={panelId}
          tabIndex={one.tab === tab ? 0 : -1}
          onClick={() => {
            if (one.tab !== tab) onChange(one.tab);
          }}
        >
          {one.label}
        </button>
      ))}
    </div>
  );
}

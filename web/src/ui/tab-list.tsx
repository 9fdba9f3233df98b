import { type KeyboardEvent, useEffect, useRef } from "react";
import classes from "./ui.module.css";

interface Props<Tab extends string> {
  label: string;
  tabs: readonly { readonly tab: Tab; readonly label: string }[];
  /** The selected one. */
  tab: Tab;
  /** Of the element with the role `tabpanel`. The selected tab has this id too, followed by a hyphen and the tab. */
  panelId: string;
  onChange: (tab: Tab) => void;
  /** Tabs with fields that need a change. */
  refused?: ReadonlySet<Tab>;
  /** The selected tab has the focus at first, also where the tabs appear in a dialog that is open already. */
  takesFocus?: boolean;
  /** Its line reaches the edges of the page or of the column that it is in. */
  atEdges?: boolean;
}

/** Tabs of one panel. Left, Right, Home and End change the tab. Those without room scroll. */
export function TabList<Tab extends string>({ label, tabs, tab, panelId, onChange, refused, takesFocus = false, atEdges }: Props<Tab>) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
  }, [takesFocus]);
  const onKeyDown = (event: KeyboardEvent) => {
    const selected = tabs.findIndex((one) => one.tab === tab);
    const next = tabs[nextIndex(event.key, selected, tabs.length) ?? -1];
    if (!next) return;
    event.preventDefault();
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.tab}"]`)?.focus();
    if (next.tab !== tab) onChange(next.tab);
  };
  return (
    <div className={classes["tabs"]} data-at-edges={atEdges || undefined}>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the focus is on its tabs */}
      <div ref={list} role="tablist" aria-label={label} onKeyDown={onKeyDown}>
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
            data-refused={refused?.has(one.tab) || undefined}
            data-autofocus={(takesFocus && one.tab === tab) || undefined}
            onClick={() => {
              if (one.tab !== tab) onChange(one.tab);
            }}
          >
            {one.label}
            {refused?.has(one.tab) && <span className="visually-hidden">(has problems)</span>}
          </button>
        ))}
      </div>
    </div>
  );
}

/** Undefined for a key that changes nothing. */
function nextIndex(key: string, index: number, count: number): number | undefined {
  switch (key) {
    case "ArrowLeft":
      return (index - 1 + count) % count;
    case "ArrowRight":
      return (index + 1) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}

import { type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";

interface Props {
  label: string;
  orientation?: "horizontal" | "vertical";
  className?: string | undefined;
  children: ReactNode;
}

/**
 * Links and buttons that are one stop of Tab together: arrow keys, Home and End move between them, as the toolbar pattern of ARIA
 * says. Fields in it stay stops of their own. Decision 0731.
 */
export function Toolbar({ label, orientation = "horizontal", className, children }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  useRovingFocus(bar, orientation);
  return (
    <div ref={bar} role="toolbar" aria-label={label} aria-orientation={orientation} className={className}>
      {children}
    </div>
  );
}

/** The links and buttons that the toolbar moves between. Menus in it have a focus of their own. */
function itemsOf(bar: HTMLElement): HTMLElement[] {
  return [...bar.querySelectorAll<HTMLElement>("a[href], button")].filter(
    (item) => !item.matches(":disabled, [role^=menuitem], [popover] *, [role=dialog] *") && item.checkVisibility(),
  );
}

/**
 * Keeps one item in the order of Tab: the one focused last, at first the current one. Reads the page instead of counting items in
 * React, because the items are parts that know nothing of the toolbar, and come and go with menus, widths and searches.
 */
function useRovingFocus(ref: RefObject<HTMLElement | null>, orientation: "horizontal" | "vertical"): void {
  useLayoutEffect(() => {
    const bar = ref.current;
    if (!bar) return undefined;
    let active: HTMLElement | undefined;
    const update = (): void => {
      const items = itemsOf(bar);
      if (!active || !items.includes(active))
        active = items.find((item) => item.matches(":focus, [aria-current], [data-current]")) ?? items[0];
      for (const item of items) item.tabIndex = item === active ? 0 : -1;
    };
    const controller = new AbortController();
    const { signal } = controller;
    bar.addEventListener(
      "focusin",
      ({ target }) => {
        const items = itemsOf(bar);
        const focused = items.find((item) => item === target);
        if (!focused) return;
        active = focused;
        update();
      },
      { signal },
    );
    const [previous, next] = orientation === "vertical" ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"];
    bar.addEventListener(
      "keydown",
      (event) => {
        if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
        const items = itemsOf(bar);
        const index = items.findIndex((item) => item === event.target);
        if (index < 0) return;
        const targets: Partial<Record<string, number>> = { [previous]: index - 1, [next]: index + 1, Home: 0, End: -1 };
        const target = targets[event.key];
        if (target === undefined) return;
        event.preventDefault();
        items.at(target % items.length)?.focus();
      },
      { signal },
    );
    let frame: number | undefined;
    // Once a frame: asking what is visible makes the browser compute styles, and React changes the page many times in between.
    const updateSoon = () => {
      frame ??= requestAnimationFrame(() => {
        frame = undefined;
        update();
      });
    };
    const changes = new MutationObserver(updateSoon);
    changes.observe(bar, { subtree: true, childList: true, attributes: true, attributeFilter: ["disabled", "href", "hidden"] });
    // At first, and because the width decides which items are shown.
    const sizes = new ResizeObserver(update);
    sizes.observe(bar);
    return () => {
      controller.abort();
      if (frame !== undefined) cancelAnimationFrame(frame);
      changes.disconnect();
      sizes.disconnect();
    };
  }, [ref, orientation]);
}

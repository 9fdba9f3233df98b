import { type Ref, useImperativeHandle, useLayoutEffect, useState } from "react";
import { useVirtualList } from "#ui/kit/use-virtual-list.ts";
import type { ChangeCard } from "./change-cards.ts";
import { componentName } from "./component-text.ts";
import { ComponentCard } from "./component-card.tsx";
import type { FoundComponents } from "./commented-components.ts";
import type { ComparisonProps } from "./comparison-props.ts";
import classes from "./changes.module.css";

export interface ChangeListHandle {
  /** Moves the focus to a change by its position among all that are shown. */
  readonly focusChange: (change: number) => void;
}

interface Props extends Pick<ComparisonProps, "threads" | "onComment"> {
  ref: Ref<ChangeListHandle>;
  cards: readonly ChangeCard[];
  activeChange: number;
  onActive: (change: number) => void;
  formerIds: FoundComponents["formerIds"];
}

const estimatedPx = ({ heading, changes }: ChangeCard): number => (heading === null ? 0 : 40) + 48 + changes.length * 32;

/** The cards as virtual rows of different heights. The one with the focus stays rendered. */
export function ChangeList({ ref, cards, activeChange, onActive, formerIds, threads, onComment }: Props) {
  const [focused, setFocused] = useState<{ change: number } | null>(null);
  const cardOf = (change: number) => cards.findLastIndex(({ firstChange }) => firstChange <= change);
  const activeCard = activeChange < 0 ? -1 : cardOf(activeChange);
  const { scroller, virtualizer } = useVirtualList({
    count: cards.length,
    getItemKey: (index) => cards[index]?.key ?? index,
    estimateSize: (index) => (cards[index] ? estimatedPx(cards[index]) : 80),
    overscan: 6,
    paddingEnd: 24,
    kept: activeCard,
  });
  useImperativeHandle(ref, () => ({
    focusChange: (change) => {
      onActive(change);
      setFocused({ change });
    },
  }));
  useLayoutEffect(() => {
    // It is rendered by now, as the active one.
    const item = focused && scroller.current?.querySelector<HTMLElement>(`[data-change="${focused.change}"]`);
    item?.focus({ preventScroll: true });
    item?.scrollIntoView({ block: "nearest" });
  }, [focused, scroller]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keys
    <div ref={scroller} className={classes["scroller"]} role="region" aria-label="List of changes" tabIndex={0}>
      <ul className={classes["cards"]} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const card = cards[index];
          return (
            card && (
              <li
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                aria-posinset={index + 1}
                aria-setsize={cards.length}
                style={{ transform: `translateY(${start}px)` }}
              >
                <ComponentCard
                  card={card}
                  activeChange={activeChange}
                  onActive={onActive}
                  onComment={onComment}
                  thread={threads?.({ id: card.component.id, name: componentName(card.component) }, formerIds.get(card.component.id) ?? [])}
                />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

import { formatCount, pluralize } from "@fairway/contract/counts";
import type { FlowChangeCategory, FlowChangesPage } from "@fairway/contract/flow-differences";
import { Button, CloseButton, TextInput } from "@mantine/core";
import { IconChevronDown } from "#ui/icons/chevron-down.ts";
import { IconChevronUp } from "#ui/icons/chevron-up.ts";
import { IconFileUnknown } from "#ui/icons/file-unknown.ts";
import { IconSearch } from "#ui/icons/search.ts";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { canSucceedLater } from "#lib/gateway/gateway-error.ts";
import { announce } from "#ui/announcer.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { WithoutData } from "#ui/kit/query-state.tsx";
import { EmptyState } from "#ui/states.tsx";
import { changeCards, matchingChanges } from "./change-cards.ts";
import { changeStepOf } from "./change-keys.ts";
import { ChangeList, type ChangeListHandle } from "./change-list.tsx";
import { currentId, useFoundComponents } from "./commented-components.ts";
import type { CommentedComponent, ComparisonProps } from "./comparison-props.ts";
import { OutdatedNote } from "./outdated-note.tsx";
import { changesQuery } from "./queries.ts";
import classes from "./changes.module.css";

const categoriesOf = (isLayoutShown: boolean, areVersionsShown: boolean): FlowChangeCategory[] => [
  "behavior",
  ...(isLayoutShown ? (["layout"] as const) : []),
  ...(areVersionsShown ? (["versions"] as const) : []),
];

const noneCommented: readonly CommentedComponent[] = [];

/** Changes of an iteration, as sentences by component. Fills its parent and scrolls inside. */
export function FlowChanges({ commented = noneCommented, threads, onComment, target, onShowText, ...compared }: ComparisonProps) {
  const [isLayoutShown, setLayoutShown] = useState(false);
  const [areVersionsShown, setVersionsShown] = useState(false);
  const categories = categoriesOf(isLayoutShown, areVersionsShown);
  const query = useQuery(changesQuery(compared, categories));
  const { data, isPlaceholderData } = query;
  const found = useFoundComponents(compared, commented, data?.outcome === "compared" ? data.changes : undefined);
  if (data === undefined) {
    const loading = { label: "Comparing the flows", rowHeight: 64 };
    return <WithoutData query={query} loading={loading} failed="Failed to load the changes" canRetry={canSucceedLater} />;
  }
  if (data.outcome === "not-comparable") return <NotComparable sentence={data.sentence} onShowText={onShowText} />;
  return (
    <ComparedChanges
      page={data}
      isLoading={isPlaceholderData}
      toggles={
        <>
          <CategoryToggle
            name="Layout"
            title="Moved components and bends of connections"
            count={data.counts.layout}
            isShown={isLayoutShown}
            onToggle={() => setLayoutShown(!isLayoutShown)}
          />
          <CategoryToggle
            name="Versions"
            title="Versions of the bundles that components come from"
            count={data.counts.versions}
            isShown={areVersionsShown}
            onToggle={() => setVersionsShown(!areVersionsShown)}
          />
        </>
      }
      shownCount={data.counts.behavior + (isLayoutShown ? data.counts.layout : 0) + (areVersionsShown ? data.counts.versions : 0)}
      hiddenCount={(isLayoutShown ? 0 : data.counts.layout) + (areVersionsShown ? 0 : data.counts.versions)}
      found={found}
      threads={threads}
      onComment={onComment}
      target={target}
    />
  );
}

/** In place of a comparison: why there is none. */
export function NotComparable({ sentence, onShowText }: { sentence: string } & Pick<ComparisonProps, "onShowText">) {
  return (
    <EmptyState
      title="Not comparable"
      icon={<IconFileUnknown size={24} stroke={1.5} aria-hidden />}
      action={
        onShowText && (
          <Button variant="default" onClick={onShowText}>
            Show the text
          </Button>
        )
      }
    >
      {sentence}
    </EmptyState>
  );
}

interface ToggleProps {
  name: string;
  title: string;
  count: number;
  isShown: boolean;
  onToggle: () => void;
}

function CategoryToggle({ name, title, count, isShown, onToggle }: ToggleProps) {
  return (
    <Button variant="default" size="xs" aria-pressed={isShown} title={title} onClick={onToggle}>
      {name} {formatCount(count)}
    </Button>
  );
}

interface ComparedProps extends Pick<ComparisonProps, "threads" | "onComment" | "target"> {
  page: FlowChangesPage & { outcome: "compared" };
  /** Changes of other categories are on their way. */
  isLoading: boolean;
  toggles: React.ReactNode;
  /** Of the shown categories, listed or not. */
  shownCount: number;
  hiddenCount: number;
  found: ReturnType<typeof useFoundComponents>;
}

const missedText = "The component isn't among the changes shown.";

function ComparedChanges({ page, isLoading, toggles, shownCount, hiddenCount, found, threads, onComment, target }: ComparedProps) {
  const [text, setText] = useState("");
  const [active, setActive] = useState(-1);
  const list = useRef<ChangeListHandle>(null);
  const wanted = useDeferredValue(text);
  const shown = useMemo(() => matchingChanges(page.changes, wanted), [page.changes, wanted]);
  const cards = useMemo(() => changeCards(shown), [shown]);
  const current = Math.min(active, shown.length - 1);

  const [shownTarget, setShownTarget] = useState<ComparisonProps["target"]>(undefined);
  if (target !== shownTarget) {
    setShownTarget(target);
    setText("");
  }
  const reachedTarget = useRef<ComparisonProps["target"]>(undefined);
  const targetId = target && currentId(found, target.componentId);
  // Wait until the filter that may hide it is gone.
  const targetCard = targetId === undefined || wanted !== "" ? undefined : cards.find(({ component }) => component.id === targetId);
  const isTargetMissed = target !== undefined && wanted === "" && !targetCard && !found.isPending && !isLoading;
  useEffect(() => {
    if (!target || target === reachedTarget.current || !(targetCard || isTargetMissed)) return;
    reachedTarget.current = target;
    if (targetCard) list.current?.focusChange(targetCard.firstChange);
    else announce(missedText);
  }, [target, targetCard, isTargetMissed]);

  const step = (by: 1 | -1) => {
    if (shown.length === 0) return;
    const next = current < 0 ? (by > 0 ? 0 : shown.length - 1) : (current + by + shown.length) % shown.length;
    setActive(next);
    list.current?.focusChange(next);
    announce(`Change ${formatCount(next + 1)} of ${formatCount(shown.length)}`);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = changeStepOf(event);
    if (by === undefined) return;
    event.preventDefault();
    step(by);
  };

  const everything = page.total > 0 || hiddenCount > 0;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of the list work in its toolbar as well
    <div className={classes["pane"]} onKeyDown={onKeyDown} aria-busy={isLoading || undefined}>
      {everything && (
        <div className={classes["tools"]} role="group" aria-label="Changes">
          <TextInput
            aria-label="Filter changes"
            placeholder="Filter changes"
            size="xs"
            className={classes["filter"]}
            leftSection={<IconSearch size={14} aria-hidden />}
            rightSection={text !== "" && <CloseButton size="sm" aria-label="Clear filter" onClick={() => setText("")} />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape" && text !== "") {
                event.stopPropagation();
                setText("");
              }
            }}
          />
          {toggles}
          <span className={classes["space"]} />
          <p className={`${classes["count"]} ${classes["total"]}`} role="status">
            {current >= 0 && `${formatCount(current + 1)} of `}
            {wanted === ""
              ? pluralize(shown.length, "change")
              : `${formatCount(shown.length)} of ${pluralize(page.changes.length, "change")}`}
          </p>
          <IconButton label="Previous change (P)" disabled={shown.length === 0} onClick={() => step(-1)}>
            <IconChevronUp size={16} aria-hidden />
          </IconButton>
          <IconButton label="Next change (N)" disabled={shown.length === 0} onClick={() => step(1)}>
            <IconChevronDown size={16} aria-hidden />
          </IconButton>
        </div>
      )}
      {page.against === null && page.total > 0 && (
        <p className={classes["note"]}>There's nothing to compare with, so everything in the flow is added.</p>
      )}
      {!isLoading && shownCount > page.total && (
        <p className={classes["note"]}>
          {formatCount(page.total)} of {formatCount(shownCount)} changes are listed. The comparison of the texts shows all of them.
        </p>
      )}
      {isTargetMissed && <p className={classes["note"]}>{missedText}</p>}
      <OutdatedNote outdated={found.outdated} />
      {shown.length > 0 ? (
        <ChangeList
          ref={list}
          cards={cards}
          activeChange={current}
          onActive={setActive}
          formerIds={found.formerIds}
          threads={threads}
          onComment={onComment}
        />
      ) : (
        <NoChanges isFiltered={page.changes.length > 0} hiddenCount={hiddenCount} onClear={() => setText("")} />
      )}
    </div>
  );
}

function NoChanges({ isFiltered, hiddenCount, onClear }: { isFiltered: boolean; hiddenCount: number; onClear: () => void }) {
  if (isFiltered) {
    return (
      <EmptyState
        action={
          <Button variant="default" onClick={onClear}>
            Clear filter
          </Button>
        }
      >
        No change matches the filter.
      </EmptyState>
    );
  }
  return hiddenCount > 0 ? (
    <EmptyState title="No changes in behavior">Only layout or versions changed. Show them with the buttons above.</EmptyState>
  ) : (
    <EmptyState title="No changes">Both flows are the same.</EmptyState>
  );
}

import { pluralize } from "@fairway/contract/counts";
import type { FlowChange } from "@fairway/contract/flow-differences";
import { CloseButton, Modal, Stack, TextInput } from "@mantine/core";
import { IconArrowsMaximize } from "#ui/icons/arrows-maximize.ts";
import { IconArrowsMinimize } from "#ui/icons/arrows-minimize.ts";
import { IconChevronDown } from "#ui/icons/chevron-down.ts";
import { IconChevronUp } from "#ui/icons/chevron-up.ts";
import { IconLogin2 } from "#ui/icons/login-2.ts";
import { IconMessagePlus } from "#ui/icons/message-plus.ts";
import { IconSearch } from "#ui/icons/search.ts";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { canSucceedLater, messagesOf } from "#lib/gateway/gateway-error.ts";
import { announce } from "#ui/announcer.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { useDialog } from "#ui/dialog/open-dialogs.ts";
import { WithoutData } from "#ui/kit/query-state.tsx";
import { EmptyState, ErrorState, LoadingRows } from "#ui/states.tsx";
import { changeStepOf } from "./change-keys.ts";
import { ChangeItem } from "./change-item.tsx";
import { kindName } from "./component-text.ts";
import { currentId, useFoundComponents } from "./commented-components.ts";
import type { CommentedComponent, Compared, ComparisonProps } from "./comparison-props.ts";
import { DrawingCanvas, type DrawingCanvasHandle } from "./drawing/drawing-canvas.tsx";
import { changedItems, type DrawnGroups, type DrawnItem, drawnGroup } from "./drawing/drawing-model.ts";
import { isGroup, ItemList, titleOf } from "./drawing/item-list.tsx";
import { NotComparable } from "./flow-changes.tsx";
import { OutdatedNote } from "./outdated-note.tsx";
import { changesQuery, drawingQuery } from "./queries.ts";
import { StateMark } from "./state-mark.tsx";
import comparison from "./changes.module.css";
import classes from "./drawing/drawing.module.css";

const noneCommented: readonly CommentedComponent[] = [];

/** Changes of an iteration, on the canvas of the flow. Fills its parent. */
export function FlowDrawingView({ commented = noneCommented, threads, onComment, target, onShowText, ...compared }: ComparisonProps) {
  const query = useQuery(drawingQuery(compared));
  const { data } = query;
  if (data === undefined) {
    const loading = { label: "Drawing the flow" };
    return <WithoutData query={query} loading={loading} failed="Failed to load the drawing" canRetry={canSucceedLater} />;
  }
  if (data.outcome === "not-comparable") return <NotComparable sentence={data.sentence} onShowText={onShowText} />;
  if (data.groups.length === 0) return <EmptyState title="Nothing to draw">The flow has no components.</EmptyState>;
  return <DrawnFlow drawing={data} compared={compared} commented={commented} threads={threads} onComment={onComment} target={target} />;
}

interface DrawnProps extends Pick<ComparisonProps, "threads" | "onComment" | "target"> {
  drawing: DrawnGroups;
  compared: Compared;
  commented: readonly CommentedComponent[];
}

interface Selection {
  readonly groupId: string;
  readonly itemId: string | null;
}

function DrawnFlow({ drawing, compared, commented, threads, onComment, target }: DrawnProps) {
  const groups = useMemo(() => drawing.groups.map((group) => drawnGroup(drawing, group)), [drawing]);
  const steps = useMemo(() => changedItems(groups), [groups]);
  const [selection, setSelection] = useState<Selection>({ groupId: "", itemId: null });
  const [text, setText] = useState("");
  const [isOnWholeScreen, setWhole] = useState(false);
  const canvas = useRef<DrawingCanvasHandle>(null);
  const wholeCanvas = useRef<DrawingCanvasHandle>(null);
  const group = groups.find(({ id }) => id === selection.groupId) ?? groups[0];
  const changes = useQuery(changesQuery(compared, ["behavior", "layout", "versions"]));
  const found = useFoundComponents(compared, commented, changes.data?.outcome === "compared" ? changes.data.changes : undefined);

  const [shownTarget, setShownTarget] = useState<ComparisonProps["target"]>(undefined);
  const targetId = target && currentId(found, target.componentId);
  const holders = groups.filter(({ items }) => items.some(({ id }) => id === targetId));
  if (target !== shownTarget && (holders.length > 0 || !found.isPending)) {
    setShownTarget(target);
    // A moved component is drawn in the group that it left as well.
    const holder = holders.find(({ items }) => items.some(({ id, state }) => id === targetId && state !== "removed")) ?? holders[0];
    if (targetId !== undefined && holder) setSelection({ groupId: holder.id, itemId: targetId });
  }
  const selected = group?.items.find(({ id }) => id === selection.itemId);
  useEffect(() => {
    if (!selected) return;
    canvas.current?.reveal(selected);
    wholeCanvas.current?.reveal(selected);
  }, [selected]);
  if (!group) return null;

  const select = (item: DrawnItem | null) => setSelection({ groupId: group.id, itemId: item?.id ?? null });
  const enter = (groupId: string, itemId: string | null = null) => {
    const next = groups.find(({ id }) => id === groupId);
    if (!next) return;
    setSelection({ groupId, itemId });
    setText("");
    announce(`${next.name}: ${pluralize(next.items.length, "component")}`);
  };
  const leave = () => {
    const parent = group.path.at(-2);
    if (parent) enter(parent.id, group.id);
  };
  const step = (by: 1 | -1) => {
    const here = steps.findIndex(({ groupId, itemId }) => groupId === group.id && itemId === selection.itemId);
    const inGroup = steps.findIndex(({ groupId }) => groupId === group.id);
    const from = here >= 0 ? here + by : inGroup >= 0 && by > 0 ? inGroup : by > 0 ? 0 : -1;
    const next = steps.at(from % steps.length);
    if (!next) return;
    setSelection(next);
    setText("");
    const item = groups.find(({ id }) => id === next.groupId)?.items.find(({ id }) => id === next.itemId);
    if (item) announce(titleOf(item));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = changeStepOf(event);
    if (by === undefined) return;
    event.preventDefault();
    step(by);
  };
  const changedHere = group.items.filter(({ state }) => state !== "same").length;
  const wanted = text.trim().toLowerCase();
  const listed =
    wanted === ""
      ? group.items
      : group.items.filter((item) => `${titleOf(item)} ${item.shape === "node" ? item.type : ""}`.toLowerCase().includes(wanted));

  /** The same drawing in the page and on the whole screen, where its view is its own. */
  const paneOf = (isWhole: boolean) => (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of the canvas work in the list as well
    <div className={`${comparison["pane"]} ${classes["pane"]}`} onKeyDown={onKeyDown}>
      <div className={comparison["tools"]}>
        <nav aria-label="Process groups" className={classes["path"]}>
          <ol>
            {group.path.map(({ id, name }) => (
              <li key={id}>
                {id === group.id ? (
                  <span aria-current="location">{name}</span>
                ) : (
                  <button type="button" onClick={() => enter(id)}>
                    {name}
                  </button>
                )}
              </li>
            ))}
          </ol>
        </nav>
        <span className={comparison["space"]} />
        <p className={comparison["count"]} role="status">
          {changedHere === 0 ? "No changes in this group" : `${pluralize(changedHere, "changed component")} in this group`}
        </p>
        <IconButton label="Previous changed component (P)" disabled={steps.length === 0} onClick={() => step(-1)}>
          <IconChevronUp size={16} aria-hidden />
        </IconButton>
        <IconButton label="Next changed component (N)" disabled={steps.length === 0} onClick={() => step(1)}>
          <IconChevronDown size={16} aria-hidden />
        </IconButton>
        {isWhole ? (
          <IconButton label="Leave full screen (Escape)" onClick={() => setWhole(false)}>
            <IconArrowsMinimize size={16} aria-hidden />
          </IconButton>
        ) : (
          <IconButton label="Full screen (F)" onClick={() => setWhole(true)}>
            <IconArrowsMaximize size={16} aria-hidden />
          </IconButton>
        )}
      </div>
      <OutdatedNote outdated={found.outdated} />
      <div className={classes["body"]}>
        <Stack gap={0} miw={0} mih={0}>
          <DrawingCanvas
            ref={isWhole ? wholeCanvas : canvas}
            group={group}
            label={`Drawing of ${group.path.at(-1)?.name}, ${pluralize(group.items.length, "component")}, ${changedHere} changed`}
            selectedId={selected?.id ?? null}
            onSelect={select}
            onEnter={(id) => enter(id)}
            onLeave={leave}
            onFill={() => setWhole(!isWhole)}
          />
          <Legend />
        </Stack>
        <div className={classes["side"]}>
          <TextInput
            aria-label="Filter components"
            placeholder="Filter components"
            size="xs"
            flex="none"
            py="sm"
            px="lg"
            leftSection={<IconSearch size={14} aria-hidden />}
            rightSection={text !== "" && <CloseButton size="sm" aria-label="Clear filter" onClick={() => setText("")} />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          {listed.length > 0 ? (
            // The same one for all groups: it keeps the focus when a step leads to another group.
            <ItemList
              label={group.path.at(-1)?.name ?? ""}
              items={listed}
              selectedId={selected?.id ?? null}
              onSelect={select}
              onEnter={(id) => enter(id)}
            />
          ) : (
            <EmptyState>{wanted === "" ? "This group is empty." : "No component matches the filter."}</EmptyState>
          )}
          <section aria-label="Selected component" className={classes["details"]}>
            {selected ? (
              <Details
                item={selected}
                changes={changes.data?.outcome === "compared" ? changes.data.changes : undefined}
                error={changes.error}
                onRetry={() => void changes.refetch()}
                onEnter={() => enter(selected.id)}
                onComment={onComment}
                // A comment is written in one of them only.
                threads={isWhole === isOnWholeScreen ? threads : undefined}
                formerIds={found.formerIds.get(selected.id) ?? []}
              />
            ) : (
              <p className={classes["hint"]}>Select a component to see what changed in it.</p>
            )}
          </section>
        </div>
      </div>
    </div>
  );

  return (
    <>
      {paneOf(false)}
      <WholeScreen label={`Drawing of ${group.path[0]?.name ?? "the flow"}`} opened={isOnWholeScreen} onClose={() => setWhole(false)}>
        {isOnWholeScreen && paneOf(true)}
      </WholeScreen>
    </>
  );
}

/** Over everything else, which is inert meanwhile. Escape returns, and the focus goes back. */
function WholeScreen({ label, opened, onClose, children }: { label: string; opened: boolean; onClose: () => void; children: ReactNode }) {
  return (
    <Modal.Root {...useDialog({ opened, onClose })} fullScreen transitionProps={{ duration: 0 }}>
      <Modal.Content aria-label={label} radius={0}>
        <div className={classes["whole"]}>{children}</div>
      </Modal.Content>
    </Modal.Root>
  );
}

function Legend() {
  return (
    <ul className={classes["legend"]} aria-label="Legend">
      {(["added", "removed", "changed", "moved"] as const).map((state) => (
        <li key={state}>
          <StateMark state={state} hasText />
        </li>
      ))}
      <li className={classes["inside"]}>
        <span aria-hidden />
        Changes inside
      </li>
    </ul>
  );
}

interface DetailsProps extends Pick<ComparisonProps, "threads" | "onComment"> {
  item: DrawnItem;
  /** Undefined while they are loaded. */
  changes: readonly FlowChange[] | undefined;
  error: Error | null;
  onRetry: () => void;
  onEnter: () => void;
  formerIds: readonly string[];
}

function Details({ item, changes, error, onRetry, onEnter, formerIds, threads, onComment }: DetailsProps) {
  const name = titleOf(item);
  const own = changes?.filter(({ component }) => component.id === item.id);
  const thread = threads?.({ id: item.id, name }, formerIds);
  return (
    <>
      <div className={classes["detailsHead"]}>
        <h3>{name}</h3>
        {isGroup(item) && (
          <IconButton label={`Open ${name}`} onClick={onEnter}>
            <IconLogin2 size={16} aria-hidden />
          </IconButton>
        )}
        {onComment && (
          <IconButton label={`Comment on ${name}`} onClick={() => onComment({ id: item.id, name })}>
            <IconMessagePlus size={16} aria-hidden />
          </IconButton>
        )}
      </div>
      <p className={classes["hint"]}>
        {item.shape === "edge" ? "Connection" : kindName(item.kind)}
        {item.shape === "node" && item.type !== "" && `, ${item.type}`}
      </p>
      {error && !own && <ErrorState message="Failed to load the changes" details={messagesOf(error)} onRetry={onRetry} />}
      {!own && !error && <LoadingRows label="Comparing the flows" rows={2} />}
      {own && own.length === 0 && <p className={classes["hint"]}>It didn't change.</p>}
      {own && own.length > 0 && (
        <ul className={classes["changes"]}>
          {own.map((change) => (
            <li key={`${change.fields[0]?.field ?? ""} ${change.sentence}`}>
              <ChangeItem change={change} />
            </li>
          ))}
        </ul>
      )}
      {thread}
    </>
  );
}

import type { FlowIteration } from "@fairway/contract/flow-requests";
import { useRouter } from "@tanstack/react-router";
import { type KeyboardEvent, memo, type MouseEvent, useEffect, useMemo, useRef } from "react";
import { FlowTime } from "../flow-time.tsx";
import { ModeSwitch } from "./mode-switch.tsx";
import { useRequest } from "./request-context.ts";
import classes from "./request.module.css";

/** The iterations, newest first, and whether one is shown or two are compared. Not on a phone, where the tools choose both. */
export function IterationList() {
  const { iterations, shown, show, searchOf } = useRequest();
  const { history, options } = useRouter();
  const list = useRef<HTMLOListElement>(null);
  const base = shown.mode === "diff" ? shown.base : null;
  const newestFirst = useMemo(() => iterations.toReversed(), [iterations]);
  const changeTo = (number: number) => ({ iteration: number, ...(base === number ? { base: null } : {}) });
  const open = (event: MouseEvent) => {
    const link = (event.target as Element).closest("a");
    // The browser opens other tabs and windows.
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    show(changeTo(Number(link.dataset["number"])));
  };
  useEffect(() => {
    list.current?.querySelector(`[data-number="${shown.iteration}"]`)?.scrollIntoView({ block: "nearest" });
  }, [shown.iteration]);
  return (
    <nav className={classes["iterations"]} aria-label="Iterations">
      <div className={classes["section"]}>
        <h2>Iterations</h2>
        <ModeSwitch />
      </div>
      {/* Arrow keys move the focus: Tab would take long through 200 iterations. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the links in it are focused */}
      <ol ref={list} reversed className={classes["iterationList"]} onKeyDown={moveFocus} onClick={open}>
        {newestFirst.map((iteration) => {
          const { id, number } = iteration;
          const isShown = number === shown.iteration;
          const mark = base === null ? null : isShown ? "shown" : base === number ? "base" : null;
          const href = `${history.location.pathname}${options.stringifySearch?.(searchOf(changeTo(number))) ?? ""}`;
          return <IterationItem key={id} iteration={iteration} href={href} isShown={isShown} mark={mark} />;
        })}
      </ol>
    </nav>
  );
}

interface ItemProps {
  iteration: FlowIteration;
  href: string;
  isShown: boolean;
  mark: string | null;
}

/** A plain link: the router's own one computes its address anew with every change of the shown one, in each of 200 items. */
const IterationItem = memo(function IterationItem({ iteration, href, isShown, mark }: ItemProps) {
  const { number, creatorUsername, createdDateMs, reason } = iteration;
  return (
    <li>
      <a
        href={href}
        data-number={number}
        className={classes["iteration"]}
        tabIndex={isShown ? 0 : -1}
        {...(isShown ? { "aria-current": "page" } : {})}
      >
        <b>{`Iteration ${number}`}</b>
        {mark !== null && <span className={classes["mark"]}>{mark}</span>}
        <small>
          {`${creatorUsername}, `}
          <FlowTime epochMs={createdDateMs} />
        </small>
        {reason !== "" && (
          <small className={classes["reasonShort"]} title={reason}>
            {reason}
          </small>
        )}
      </a>
    </li>
  );
});

function moveFocus(event: KeyboardEvent<HTMLOListElement>): void {
  const links = [...event.currentTarget.querySelectorAll("a")];
  const current = links.indexOf(document.activeElement as HTMLAnchorElement);
  const next = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: links.length - 1 }[event.key];
  if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  links[Math.max(0, Math.min(next, links.length - 1))]?.focus();
}

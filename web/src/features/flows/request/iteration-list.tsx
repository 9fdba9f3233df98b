import { SegmentedControl } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { FlowTime } from "../flow-time.tsx";
import { useRequest } from "./request-context.ts";
import classes from "./request.module.css";

const modes = [
  { value: "single", label: "Single" },
  { value: "diff", label: "Diff" },
];

/** The iterations, newest first, and whether one is shown or two are compared. */
export function IterationList() {
  const { iterations, shown, show, searchOf } = useRequest();
  const list = useRef<HTMLOListElement>(null);
  const base = shown.mode === "diff" ? shown.base : null;
  useEffect(() => {
    list.current?.querySelector(`[data-number="${shown.iteration}"]`)?.scrollIntoView({ block: "nearest" });
  }, [shown.iteration]);
  return (
    <nav className={classes["iterations"]} aria-label="Iterations">
      <div className={classes["section"]}>
        <h2>Iterations</h2>
        <SegmentedControl
          aria-label="View mode"
          size="xs"
          data={modes}
          value={shown.mode}
          onChange={(mode) => show({ mode: mode === "diff" ? "diff" : "single" })}
        />
      </div>
      {/* Arrow keys move the focus: Tab would take long through 200 iterations. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the links in it are focused */}
      <ol ref={list} reversed className={classes["iterationList"]} onKeyDown={moveFocus}>
        {iterations.toReversed().map(({ id, number, creatorUsername, createdDateMs }) => {
          const isShown = number === shown.iteration;
          return (
            <li key={id}>
              <Link
                to="."
                search={searchOf({ iteration: number, ...(base === number ? { base: null } : {}) })}
                data-number={number}
                className={classes["iteration"] ?? ""}
                tabIndex={isShown ? 0 : -1}
                {...(isShown ? { "aria-current": "page" } : {})}
              >
                <b>{`Iteration ${number}`}</b>
                {base !== null && (isShown || base === number) && <span className={classes["mark"]}>{isShown ? "shown" : "base"}</span>}
                <small>
                  {`${creatorUsername}, `}
                  <FlowTime epochMs={createdDateMs} />
                </small>
              </Link>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function moveFocus(event: KeyboardEvent<HTMLOListElement>): void {
  const links = [...event.currentTarget.querySelectorAll("a")];
  const current = links.indexOf(document.activeElement as HTMLAnchorElement);
  const next = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: links.length - 1 }[event.key];
  if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  links[Math.max(0, Math.min(next, links.length - 1))]?.focus();
}

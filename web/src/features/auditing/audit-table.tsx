import type { AuditEvent } from "@fairway/contract/audit";
import { errorStatus } from "@fairway/contract/errors";
import { useMediaQuery } from "@mantine/hooks";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useRef } from "react";
import { durationText } from "#lib/time/dates.ts";
import { localTime } from "#lib/time/local-time.ts";
import classes from "./auditing.module.css";

/** On a phone, rows have two lines and the headings are hidden. */
const sizesOf = (phone: boolean) => (phone ? { rowPx: 56, headPx: 0 } : { rowPx: 32, headPx: 32 });

interface Props {
  events: readonly AuditEvent[];
  /** Number of matching events; -1 when unknown. */
  total: number;
  onOpen: (event: AuditEvent) => void;
  /** Rendered below the last row. */
  children: ReactNode;
}

/** The events as a virtual table. */
export function AuditTable({ events, total, onOpen, children }: Props) {
  const phone = useMediaQuery("(max-width: 720px)", undefined, { getInitialValueInEffect: false });
  const { rowPx, headPx } = sizesOf(phone);
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: events.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 12,
    scrollMargin: headPx,
    getItemKey: (index) => events[index]?.id ?? index,
  });
  return (
    <div ref={scroller} className={classes["scroller"]}>
      <div role="table" aria-label="Audit events" aria-rowcount={total < 0 ? -1 : total + 1} className={classes["table"]}>
        <div role="rowgroup" className={classes["head"]}>
          <div role="row" aria-rowindex={1} className={classes["row"]}>
            <span role="columnheader">Time</span>
            <span role="columnheader">Username</span>
            <span role="columnheader">Code</span>
            <span role="columnheader">Method</span>
            <span role="columnheader">Path</span>
            <span role="columnheader" className={classes["duration"]}>
              Duration
            </span>
            <span role="columnheader">Address</span>
            <span role="columnheader">Client</span>
          </div>
        </div>
        <div role="rowgroup" className={classes["body"]} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const event = events[index];
            return event && <Row key={event.id} event={event} index={index} top={start - headPx} onOpen={onOpen} />;
          })}
        </div>
      </div>
      {children}
    </div>
  );
}

function Row({ event, index, top, onOpen }: { event: AuditEvent; index: number; top: number; onOpen: (event: AuditEvent) => void }) {
  const { responseCode, method, path, username, requestTimeMs, ipAddress, client, details } = event;
  const outcome = outcomeOf(responseCode);
  const fullClient = [...new Set([client.browser, client.operatingSystem])].filter((part) => part !== "").join(", ");
  const time = localTime(requestTimeMs);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- keyboard users have the button in the row
    <div
      role="row"
      aria-rowindex={index + 2}
      className={classes["row"]}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => {
        if (getSelection()?.isCollapsed !== false) onOpen(event);
      }}
    >
      <span role="cell">
        <button
          type="button"
          className={classes["open"]}
          aria-label={`Details of event ${index + 1}: ${method} ${path}, ${time}`}
          onClick={(click) => {
            click.stopPropagation();
            onOpen(event);
          }}
        >
          {time}
        </button>
      </span>
      <span role="cell">{username === "" ? <NoUsername /> : username}</span>
      <span role="cell" data-outcome={outcome}>
        {outcome === undefined ? responseCode : `${responseCode} ${outcome}`}
      </span>
      <span role="cell">{method}</span>
      <span role="cell" className={classes["path"]} title={path}>
        {path}
      </span>
      <span role="cell" className={classes["duration"]}>
        {durationText(details.durationMs)}
      </span>
      <span role="cell">{ipAddress}</span>
      <span role="cell" title={fullClient}>
        {fullClient.replaceAll(/\.[\d.]+/g, "")}
      </span>
    </div>
  );
}

/** A word for a call that did not succeed. */
function outcomeOf(responseCode: number): "failed" | "canceled" | "denied" | "refused" | undefined {
  if (responseCode >= 500) return "failed";
  if (responseCode === errorStatus.abandoned) return "canceled";
  if (responseCode === errorStatus["not-signed-in"] || responseCode === errorStatus.forbidden) return "denied";
  return responseCode >= 400 ? "refused" : undefined;
}

/** Shown for a call without a username. */
export function NoUsername() {
  return <i className={classes["noUsername"]}>nobody</i>;
}

import type { AuditEvent } from "@fairway/contract/audit";
import { errorStatus } from "@fairway/contract/errors";
import { useMediaQuery } from "@mantine/hooks";
import { type ReactNode, useMemo } from "react";
import { durationText } from "#lib/time/dates.ts";
import { localTime } from "#lib/time/local-time.ts";
import { type RowsColumn, RowsTable } from "#ui/kit/rows-table.tsx";
import { useVirtualRows } from "#ui/kit/use-virtual-rows.ts";
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
  return (
    <RowsTable
      label="Audit events"
      columns={useMemo(() => columnsOf(onOpen), [onOpen])}
      rows={events}
      rowKey={({ id }) => id}
      virtual={useVirtualRows({ count: events.length, ...sizesOf(phone), overscan: 12 })}
      rowCount={total < 0 ? -1 : total + 1}
      onOpen={onOpen}
      after={children}
      className={classes["table"]}
      rowClassName={classes["row"]}
    />
  );
}

const columnsOf = (onOpen: Props["onOpen"]): RowsColumn<AuditEvent>[] => [
  {
    id: "time",
    header: "Time",
    cell: (event, _, index) => {
      const time = localTime(event.requestTimeMs);
      return (
        <button
          type="button"
          className={classes["open"]}
          aria-label={`Details of event ${index + 1}: ${event.method} ${event.path}, ${time}`}
          onClick={(click) => {
            click.stopPropagation();
            onOpen(event);
          }}
        >
          {time}
        </button>
      );
    },
  },
  { id: "name", header: "Username", cell: ({ username }) => (username === "" ? <NoUsername /> : username) },
  {
    id: "code",
    header: "Code",
    marks: ({ responseCode }) => ({ "data-outcome": outcomeOf(responseCode) }),
    cell: ({ responseCode }) => [responseCode, outcomeOf(responseCode)].filter((part) => part !== undefined).join(" "),
  },
  { id: "what", header: "Method", cell: ({ method }) => method },
  { id: "path", header: "Path", cellClassName: classes["path"], tooltip: ({ path }) => path, cell: ({ path }) => path },
  { id: "duration", header: "Duration", className: classes["duration"], cell: ({ details }) => durationText(details.durationMs) },
  { id: "address", header: "Address", cell: ({ ipAddress }) => ipAddress },
  { id: "client", header: "Client", tooltip: clientOf, cell: (event) => clientOf(event).replaceAll(/\.[\d.]+/g, "") },
];

function clientOf({ client }: AuditEvent): string {
  return [...new Set([client.browser, client.operatingSystem])].filter((part) => part !== "").join(", ");
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

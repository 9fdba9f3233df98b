import { pluralize } from "@fairway/contract/counts";
import type { DataImport } from "@fairway/contract/imports";
import { Box, Button, Flex, Group } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useId, useRef, useState } from "react";
import { ownDataQuery } from "#parts/own-datasets/queries.ts";
import { roomText } from "#parts/own-datasets/room-text.ts";
import { stopSending, useSending } from "#parts/add-data/sending.ts";
import { announce } from "#ui/announcer.tsx";
import { useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import { island } from "#ui/island.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { LoadingRows } from "#ui/states.tsx";
import { useHasBeen } from "#ui/use-has-been.ts";
import { NameFields } from "./name-fields.tsx";
import { ImportPanel } from "./import-panel.tsx";
import { ImportRows, type ImportRowsHandle } from "./import-rows.tsx";
import { createLabel, importLine, readText, titleOf, unreadCount, waitsFor } from "./import-words.ts";
import { ReadingState } from "./reading-state.tsx";
import { useImportKeys } from "./use-import-keys.ts";
import type { ImportScreen as Screen } from "./use-import.ts";
import classes from "./add-data.module.css";

const RowsSheet = island(async () => ({ default: (await import("./rows-sheet.tsx")).RowsSheet }));

const ColumnDialog = island(async () => ({ default: (await import("./column-dialog.tsx")).ColumnDialog }));
const UnreadDialog = island(async () => ({ default: (await import("./unread-dialog.tsx")).UnreadDialog }));

const leaveQuestion = {
  title: "Stop sending the file?",
  text: "What has arrived is kept for a day. Choose the file again here to send the rest.",
  confirmLabel: "Stop Sending",
};

/** The panel with what was understood, the rows beside it, and Create. */
export function ImportScreen({ screen, data }: { screen: Screen; data: DataImport }) {
  const { id, name, category, accepted, isCreating } = screen;
  const isPhone = useMediaQuery("(max-width: 720px)", undefined, { getInitialValueInEffect: false });
  const [column, setColumn] = useState<string | null>(null);
  const [unread, setUnread] = useState<{ opened: boolean; column: string | null }>({ opened: false, column: null });
  const wasColumnOpen = useHasBeen(column !== null);
  const wasUnreadOpen = useHasBeen(unread.opened);
  const [isSheetOpen, setSheetOpen] = useState<boolean | null>(null);
  const panel = useRef<HTMLElement>(null);
  const rows = useRef<ImportRowsHandle>(null);
  const waitId = useId();
  const wait = waitsFor(data, { name, category, accepted });
  const isSending = useSending(({ imports }) => imports[id]?.failure === null);
  useUnsavedChanges(isSending, { question: leaveQuestion });
  useEffect(() => () => stopSending(id), [id]);
  useAnnouncements(data);
  useResults(data);
  const create = () => {
    if (wait === null) void screen.create();
    else announce(wait);
  };
  useImportKeys({ panel, rows, onNoUnread: () => setUnread({ opened: true, column: null }), onCreate: create });
  const { reading, sample, into } = data;
  const table = sample === null ? null : <ImportRows ref={rows} data={data} onColumn={setColumn} />;
  const actions = (
    <>
      <Button variant="default" onClick={() => void screen.discard()} disabled={isCreating}>
        Cancel
      </Button>
      <Button disabled={wait !== null} loading={isCreating} aria-describedby={wait === null ? undefined : waitId} onClick={create}>
        {createLabel(data)}
      </Button>
    </>
  );
  const waiting = wait !== null && (
    <span id={waitId} className={classes["wait"]}>
      {wait}
    </span>
  );
  return (
    <>
      <PageHeader title={titleOf(data)} subtitle={importLine(data)} isSubtitleLong={category !== null}>
        {into === null && <NameFields screen={screen} />}
        {!isPhone && (
          <Group gap="xs" wrap="nowrap" flex="none" ml={category === null ? 0 : "auto"}>
            {waiting}
            {actions}
          </Group>
        )}
      </PageHeader>
      <div className={classes["columns"]}>
        <section ref={panel} className={classes["panel"]} aria-label="How it is read" tabIndex={-1}>
          <ImportPanel screen={screen} data={data} onUnread={(shown) => setUnread({ opened: true, column: shown })} />
          {isPhone && table !== null && (
            <Button variant="default" fullWidth onClick={() => setSheetOpen(true)}>
              Show the rows
            </Button>
          )}
        </section>
        {!isPhone && (
          <Flex direction="column" miw={0} mih={0}>
            <ReadingState data={data} onCancel={() => void screen.discard()} />
            <div className={classes["table"]}>
              {table ?? (data.status !== "failed" && <LoadingRows label="Reading the first rows" rows={12} />)}
            </div>
            <Footer data={data} isOwn={category === null} onUnread={() => setUnread({ opened: true, column: null })} />
          </Flex>
        )}
      </div>
      {isPhone && (
        <div className={classes["phoneActions"]}>
          <ReadingState data={data} onCancel={() => void screen.discard()} />
          {waiting}
          <div>{actions}</div>
        </div>
      )}
      {isPhone && isSheetOpen !== null && (
        <RowsSheet opened={isSheetOpen} onClose={() => setSheetOpen(false)}>
          <div className={classes["table"]}>{table}</div>
        </RowsSheet>
      )}
      {reading !== null && wasColumnOpen && (
        <ColumnDialog data={data} column={column} onChoose={screen.choose} onClose={() => setColumn(null)} />
      )}
      {wasUnreadOpen && <UnreadDialog importId={id} {...unread} onClose={() => setUnread((before) => ({ ...before, opened: false }))} />}
    </>
  );
}

function Footer({ data, isOwn, onUnread }: { data: DataImport; isOwn: boolean; onUnread: () => void }) {
  const { data: own } = useQuery(ownDataQuery);
  const { sample, reading, isPartial } = data;
  const unread = reading === null ? 0 : unreadCount(reading);
  return (
    <footer className={classes["footer"]}>
      {sample !== null && reading !== null && (
        <span role="status">
          {isPartial
            ? `First ${pluralize(sample.rows.length, "row")}, while the rest arrives`
            : `First ${sample.rows.length.toLocaleString("en-US")} of ${pluralize(reading.rows, "row")}${reading.checkedRows === null ? ", all values were checked" : ""}`}
        </span>
      )}
      {unread > 0 && (
        <span>
          {`${pluralize(unread, "value")} could not be read: `}
          <button type="button" className={classes["link"]} onClick={onUnread}>
            show
          </button>
        </span>
      )}
      <Box component="span" flex={1} />
      {data.into === null && isOwn && <span className={classes["wide"]}>Only you will see this dataset</span>}
      {own && <span>{roomText(own.room)}</span>}
    </footer>
  );
}

/** Says when everything was read, and what failed. */
function useAnnouncements(data: DataImport): void {
  const { status, failure } = data;
  const said = useRef(status);
  useEffect(() => {
    if (said.current === status) return;
    said.current = status;
    if (status === "ready") announce(readText(data));
    else if (status === "failed") announce(failure?.message ?? "The file could not be read.");
    else if (status === "done") announce("Created");
  }, [status, failure, data]);
}

/** Goes to the results of what is done. */
function useResults({ status, dataset }: DataImport): void {
  const navigate = useNavigate();
  const isGoing = useRef(false);
  useEffect(() => {
    if (status !== "done" || dataset === null || isGoing.current) return;
    isGoing.current = true;
    // With the model of searches, which nothing else here needs.
    void import("./go-to-results.ts").then(({ goToResults }) => goToResults(navigate, dataset));
  }, [status, dataset, navigate]);
}

import { Button, NativeSelect } from "@mantine/core";
import { IconArrowRight } from "#ui/icons/arrow-right.ts";
import { IconDownload } from "#ui/icons/download.ts";
import { useLayoutEffect, useRef } from "react";
import { downloadBlob } from "#lib/browser/download.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { ModeSwitch } from "./mode-switch.tsx";
import { useRequest } from "./request-context.ts";
import { useIsPhone } from "./use-is-phone.ts";
import { viewOf } from "./view-address.ts";
import classes from "./request.module.css";

const endings = { json: "json", xml: "xml", yaml: "yaml", unknown: "txt" } as const;

const views = {
  single: [
    { view: "text", label: "Text" },
    { view: "checks", label: "Checks" },
  ],
  diff: [
    { view: "changes", label: "Changes" },
    { view: "drawing", label: "Drawing" },
    { view: "text", label: "Text" },
  ],
} as const;

/** Chooses what is shown and compared, and downloads the shown iteration. */
export function ViewTools({ content }: { content: string | undefined }) {
  const { request, iterations, shown, show, lastToolRef } = useRequest();
  const tools = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const name = lastToolRef.current;
    if (name === null || document.activeElement !== document.body) return;
    tools.current?.querySelector<HTMLElement>(`[data-tool="${name}"]`)?.focus({ preventScroll: true });
  }, [lastToolRef]);
  const isPhone = useIsPhone();
  const current = viewOf(shown);
  const numbers = iterations.map(({ number }) => number).toReversed();
  const iteration = iterations[shown.iteration - 1];
  const options = numbers.map((number) => ({ value: String(number), label: `Iteration ${number}` }));
  const download = () => {
    if (content === undefined || !iteration) return;
    const name = `${request.flowName}-request-${request.id}-iteration-${iteration.number}.${endings[iteration.format]}`;
    downloadBlob(new Blob([content]), name.replaceAll(/[/\\:*?"<>|\s]/g, "_"));
  };
  return (
    <div
      ref={tools}
      className={classes["choice"]}
      onFocus={({ target }) => {
        lastToolRef.current = target.getAttribute("data-tool");
      }}
      onBlur={({ relatedTarget }) => {
        // Not when it is removed, for which React reports no blur.
        if (relatedTarget) lastToolRef.current = null;
      }}
    >
      {isPhone && <ModeSwitch />}
      <div role="group" aria-label="View" className={classes["views"]}>
        {views[shown.mode].map(({ view, label }) => (
          <Button
            key={view}
            variant={view === current ? "light" : "default"}
            size="xs"
            data-tool={`view-${view}`}
            aria-pressed={view === current}
            onClick={() => show({ view })}
          >
            {label}
          </Button>
        ))}
      </div>
      {shown.mode === "diff" && (
        <>
          <NativeSelect
            aria-label="Compare"
            data-tool="base"
            size="xs"
            className={classes["select"]}
            value={String(shown.base)}
            data={[...options.filter(({ value }) => value !== String(shown.iteration)), { value: "accepted", label: "Accepted" }]}
            onChange={({ currentTarget: { value } }) => show({ base: value === "accepted" ? value : Number(value) })}
          />
          <IconArrowRight size={14} aria-hidden />
        </>
      )}
      <NativeSelect
        aria-label={shown.mode === "diff" ? "With" : "Show"}
        data-tool="iteration"
        size="xs"
        className={classes["select"]}
        value={String(shown.iteration)}
        data={options}
        onChange={({ currentTarget: { value } }) => show({ iteration: Number(value) })}
      />
      <IconButton label={`Download iteration ${shown.iteration}`} disabled={content === undefined} onClick={download}>
        <IconDownload size={16} aria-hidden />
      </IconButton>
    </div>
  );
}

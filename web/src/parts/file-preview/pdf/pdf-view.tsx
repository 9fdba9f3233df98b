import { Button, PasswordInput } from "@mantine/core";
import { IconLock } from "#ui/icons/lock.ts";
import { type SubmitEvent, useCallback, useState } from "react";
import { EmptyState, LoadingRows } from "#ui/states.tsx";
import { openPdf, type PasswordRequest, type PdfDocument } from "./pdf-document.ts";
import { PdfPages } from "./pdf-pages.tsx";
import type { PageSize } from "./pdf-scale.ts";
import type { PreviewFile, ViewProps } from "../preview-type.ts";
import { useFile } from "../use-file.ts";
import classes from "./pdf.module.css";

/** A PDF file. Its pages are loaded and drawn as they are shown. */
export function PdfView(props: ViewProps) {
  const { onFailed } = props;
  const [leftOut, setLeftOut] = useState<ReadonlySet<number | null>>(new Set());
  const [requests, setRequests] = useState<readonly PasswordRequest[]>([]);
  const load = useCallback(
    async (file: PreviewFile, signal: AbortSignal) => {
      const onPassword = (request: PasswordRequest) => setRequests((earlier) => [...earlier, request]);
      const onLeftOut = (page: number | null) => setLeftOut((earlier) => (earlier.has(page) ? earlier : new Set([...earlier, page])));
      const document = await openPdf({ file, signal, onPassword, onLeftOut, onFailed });
      return { document, firstSize: await firstSizeOf(document) };
    },
    // A failure is reported wherever the view stands then.
    // oxlint-disable-next-line react/exhaustive-deps
    [],
  );
  const opened = useFile(props, load);
  if (opened) return <PdfPages {...opened} leftOut={leftOut} />;
  const request = requests.at(-1);
  if (request) return <PasswordForm key={requests.length} {...request} />;
  return <LoadingRows label="Loading preview" />;
}

/** Throws if the document has no page that can be read. */
async function firstSizeOf(document: PdfDocument): Promise<PageSize> {
  try {
    const { width, height } = (await document.getPage(1)).getViewport({ scale: 1 });
    return { width, height };
  } catch (cause) {
    throw new Error("The file is damaged: its first page can't be read.", { cause });
  }
}

function PasswordForm({ isWrong, submit }: PasswordRequest) {
  const [password, setPassword] = useState("");
  const [isSent, setIsSent] = useState(false);
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    if (password === "") return;
    setIsSent(true);
    submit(password);
  };
  return (
    <EmptyState
      title="Password required"
      icon={<IconLock size={24} stroke={1.5} aria-hidden />}
      action={
        <form className={classes["password"]} onSubmit={onSubmit}>
          <PasswordInput
            label="Password of the file"
            value={password}
            autoComplete="off"
            data-autofocus
            error={isWrong && password === "" ? "The password is wrong." : undefined}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button type="submit" disabled={password === ""} loading={isSent}>
            Open
          </Button>
        </form>
      }
    >
      This file is password-protected. The password stays in this browser.
    </EmptyState>
  );
}

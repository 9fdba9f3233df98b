import { filesets } from "@fairway/contract/filesets";
import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { useState } from "react";
import { expect, vi } from "vitest";
import { page } from "vitest/browser";
import { setTokenSource } from "#lib/gateway/call.ts";
import { fakeTransfers } from "./fake-transfers.ts";
import { gateway, mount } from "./open-screen.tsx";
import { ConfirmHost } from "#ui/dialog/confirm-host.tsx";
import { cssVariablesResolver, theme } from "#ui/theme/theme.ts";
import type { ChosenFile } from "../parts/file-upload/chosen-files.ts";
import { UploadDialog } from "../parts/file-upload/upload-dialog.tsx";

export const onUploaded = vi.fn<(paths: readonly string[]) => void>();

export const onClose = vi.fn<() => void>();

const colorSchemeManager = localStorageColorSchemeManager({ key: "fairway.theme" });

interface Options {
  path?: string;
  existing?: readonly string[] | null;
  initialFiles?: readonly ChosenFile[];
}

const none: readonly never[] = [];

function Harness({ path = "", existing = none, initialFiles = none }: Options) {
  const [opened, setOpened] = useState(true);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} colorSchemeManager={colorSchemeManager}>
      <main>
        <h1>Files</h1>
      </main>
      <UploadDialog
        opened={opened}
        fileset="public-data"
        path={path}
        initialFiles={initialFiles}
        existing={existing && new Set(existing)}
        onUploaded={onUploaded}
        onClose={() => {
          onClose();
          setOpened(false);
        }}
      />
      <ConfirmHost />
    </MantineProvider>
  );
}

export const dialog = () => page.getByRole("dialog", { name: "Upload to public-data" });

export const rows = () => dialog().getByRole("list", { name: "Files" }).getByRole("listitem");

export const button = (name: string) => dialog().getByRole("button", { name, exact: true });

export const status = () => dialog().getByRole("status");

export const file = (name: string, bytes = 10): File => new File(["x".repeat(bytes)], name);

export async function choose(...files: File[]): Promise<void> {
  const input = (await dialog().getByLabelText("Files to upload").findElement()) as HTMLInputElement;
  const transfer = new DataTransfer();
  for (const one of files) transfer.items.add(one);
  input.files = transfer.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

export async function open(options: Options = {}): Promise<void> {
  mount(<Harness {...options} />);
  await expect.element(dialog()).toBeVisible();
}

export function serveUploads(): void {
  setTokenSource({ token: () => Promise.resolve("token"), onUnauthorized: () => Promise.resolve(false) });
  gateway.answer(filesets.uploadUrl, ({ params, query }) => ({
    uploadUrl: `/api/filesets/${params.id}/upload?file=${encodeURIComponent(query.file)}&signature=s`,
  }));
  fakeTransfers();
  // A dialog that is closed reports what it has uploaded.
  vi.clearAllMocks();
}

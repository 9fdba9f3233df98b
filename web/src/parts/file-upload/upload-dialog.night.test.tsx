import { filesets } from "@fairway/contract/filesets";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { hasUnsavedChanges } from "#lib/browser/unsaved-changes.ts";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectText } from "#testing/assertions.ts";
import { FakeTransfer, transferOf } from "#testing/fake-transfers.ts";
import { gateway, mount } from "#testing/open-screen.tsx";
import { useFileDrop } from "./use-file-drop.ts";
import { onClose, dialog, rows, button, status, file, choose, open, serveUploads } from "#testing/upload-dialogs.tsx";

/** Gives the file the path that choosing a folder gives it. */
function inFolder(path: string): File {
  const one = file(path.slice(path.lastIndexOf("/") + 1));
  Object.defineProperty(one, "webkitRelativePath", { value: path });
  return one;
}

beforeEach(serveUploads);

afterEach(() => {
  vi.unstubAllGlobals();
});

it("asks once about files that exist, looks up those in nested folders, and uploads the others meanwhile", async () => {
  gateway.answer(filesets.file, { filename: "maps/b.png", size: 1, lastModified: "2026-01-01T00:00:00.000Z" });
  await open({ existing: ["a.csv", "c.csv", "maps/"] });
  await choose(file("a.csv"), inFolder("maps/b.png"), file("c.csv"), file("new.csv"), inFolder("other/a.csv"));
  (await transferOf("new.csv")).answer(201);
  await expectText(dialog().getByRole("alert"), "'a.csv' exists already.");
  expect(gateway.received(filesets.file).map(({ query }) => query)).toEqual([{ file: "maps/b.png" }]);
  await expectText(status(), "1 of 5 files completed. Wait for 1 upload to finish. 3 exist already.");
  await expectAccessible({ within: ["[role=dialog]"] });
  await button("Keep Existing").click();
  await expectText(dialog().getByRole("alert"), /exists already/);
  await dialog().getByRole("checkbox", { name: "For all 2 files that exist already" }).click();
  await button("Replace").click();
  await expectCount(dialog().getByRole("alert"), 0);
  const sent = () => FakeTransfer.sent.map(({ url }) => new URL(url.slice(4)).searchParams.get("file"));
  await expect.poll(sent).toEqual(["new.csv", "other/a.csv", "maps/b.png", "c.csv"]);
  await expect.element(rows().first()).toHaveTextContent("Not replaced");
  await button("Replace a.csv").click();
  for (const transfer of FakeTransfer.sent) transfer.answer(201);
  (await transferOf("a.csv", 4)).answer(201);
  await expectText(status(), "5 of 5 files completed.");
  await choose(file("new.csv"));
  await expectText(dialog().getByRole("alert"), "'new.csv' exists already.");
});

it("asks about a file that exists while others take every turn", async () => {
  await open({ existing: ["z.csv"] });
  await choose(file("a.csv"), file("b.csv"), file("c.csv"), file("z.csv"));
  await expectText(dialog().getByRole("alert"), "'z.csv' exists already.");
  await expect.poll(() => FakeTransfer.sent.map((transfer) => transfer.file?.name)).toEqual(["a.csv", "b.csv", "c.csv"]);
  await expect.element(rows().nth(3)).toHaveTextContent("Exists already");
});

it("waits where the gateway asks to, cancels one file, and stops all only after asking", async () => {
  await open({
    initialFiles: [
      { path: "a.csv", file: file("a.csv") },
      { path: "b.csv", file: file("b.csv") },
    ],
  });
  (await transferOf("a.csv")).answer(429, { errors: [{ code: "too-many-requests", message: "Too many." }] }, { "retry-after": "1" });
  await expect.element(rows().first()).toHaveTextContent("Preparing...");
  const again = await transferOf("a.csv", 2);
  await button("Cancel b.csv").click();
  expect((await transferOf("b.csv")).aborted).toBe(true);
  await expect.element(rows().nth(1)).toHaveTextContent("Canceled");
  await expect.element(button("Retry b.csv")).toHaveFocus();
  expect(again.aborted).toBe(false);
  expect(hasUnsavedChanges()).toBe(true);
  await userEvent.keyboard("{Escape}");
  const question = page.getByRole("dialog", { name: "Stop the uploads?" });
  await question.getByRole("button", { name: "Cancel", exact: true }).click();
  await expectCount(question, 0);
  expect(onClose).not.toHaveBeenCalled();
  await button("Close").click();
  await question.getByRole("button", { name: "Stop Uploads" }).click();
  await expectCount(dialog(), 0);
  await expect.poll(() => again.aborted).toBe(true);
  expect(hasUnsavedChanges()).toBe(false);
});

it("takes dropped files and those of dropped folders, and reports an empty folder", async () => {
  function Zone() {
    const { isOver, dropProps } = useFileDrop((files) => onDropped(files.map(({ path }) => path)));
    return (
      <section aria-label="Zone" data-over={isOver} {...dropProps}>
        Drop here
      </section>
    );
  }
  const onDropped = vi.fn<(paths: string[]) => void>();
  mount(<Zone />);
  const zone = await page.getByRole("region", { name: "Zone" }).findElement();
  const drop = (target: Element, type: string): DragEvent => {
    const transfer = new DataTransfer();
    transfer.items.add(file("dropped.txt"));
    const event = new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true });
    vi.spyOn(DataTransferItem.prototype, "webkitGetAsEntry").mockReturnValue(
      folderEntry("/maps", [fileEntry("/maps/a.png"), folderEntry("/maps/none", [])]),
    );
    target.dispatchEvent(event);
    return event;
  };
  drop(zone, "dragenter");
  await expect.poll(() => zone.getAttribute("data-over")).toBe("true");
  drop(zone, "drop");
  await expect.poll(() => onDropped.mock.calls).toEqual([[["maps/a.png"]]]);
  expect(zone.getAttribute("data-over")).toBe("false");
  expect(drop(document.body, "drop").defaultPrevented).toBe(true);
  expect(onDropped).toHaveBeenCalledTimes(1);
});

const fileEntry = (fullPath: string) =>
  ({ isFile: true, isDirectory: false, fullPath, file: (resolve: FileCallback) => resolve(file(fullPath)) }) as unknown as FileSystemEntry;

function folderEntry(fullPath: string, children: FileSystemEntry[]): FileSystemEntry {
  const createReader = () => {
    const pages = [children, []];
    return { readEntries: (resolve: FileSystemEntriesCallback) => resolve(pages.shift() ?? []) };
  };
  return { isFile: false, isDirectory: true, fullPath, createReader } as unknown as FileSystemEntry;
}

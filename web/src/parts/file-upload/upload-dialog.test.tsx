import { filesetUploads } from "@fairway/contract/fileset-uploads";
import { defaultLimits } from "@fairway/contract/limits";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { defaultPortalSettings, usePortal } from "#lib/gateway/portal-settings.ts";
import { expectCount, expectText, expectTexts } from "#testing/assertions.ts";
import { FakeTransfer, transferOf } from "#testing/fake-transfers.ts";
import { loggedFailures } from "#testing/logged-failures.ts";
import { gateway } from "#testing/open-screen.tsx";
import { onUploaded, dialog, rows, button, status, file, choose, open, serveUploads } from "#testing/upload-dialogs.tsx";

beforeEach(serveUploads);

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("several files", () => {
  const begin = async () => {
    await open({ path: "season-2005" });
    await choose(file("a.csv", 41_900), file("b.pdf"), file("c.png"), file("d.txt"));
    await expectTexts(rows(), ["a.csv 41.9 KB0%", "b.pdf 10 bytes0%", "c.png 10 bytes0%", "d.txt 10 bytesPreparing..."]);
  };

  it("[FILESET-22][FILESET-23] are uploaded to a folder of the fileset", async () => {
    await begin();
    await expectText(dialog().getByText("Into season-2005"), "Into season-2005");
    expect(FakeTransfer.sent.map(({ url, headers }) => [url, headers.has("authorization")])).toEqual(
      ["a.csv", "b.pdf", "c.png"].map((name) => [
        `PUT ${location.origin}/api/filesets/public-data/upload?file=season-2005%2F${name}&signature=s`,
        false,
      ]),
    );
  });

  it("[FILESET-24][FILESET-25] are prepared, and show their percent while three are uploaded side by side", async () => {
    await begin();
    (await transferOf("b.pdf")).progress(62);
    await expectText(rows().nth(1), "b.pdf 10 bytes62%");
    await expect
      .poll(() => dialog().getByRole("progressbar", { name: "Upload of b.pdf" }).element().getAttribute("aria-valuenow"))
      .toBe("62");
    (await transferOf("b.pdf")).progress(100);
    await expect.element(rows().nth(1)).toHaveTextContent("99%");
    await expectText(rows().nth(3), "d.txt 10 bytesPreparing...");
    (await transferOf("a.csv")).answer(201);
    await expectText(rows().nth(3), "d.txt 10 bytes0%");
  });

  it("[FILESET-27] show why one failed, and upload it again on Retry", async () => {
    const logged = loggedFailures();
    await begin();
    (await transferOf("a.csv")).answer(201);
    (await transferOf("b.pdf")).progress(62);
    (await transferOf("c.png")).progress(48);
    (await transferOf("c.png")).break();
    (await transferOf("d.txt")).answer(507, { errors: [{ code: "no-room", message: "There is no room." }] });
    await expectTexts(rows(), [
      "a.csv 41.9 KBCompleted",
      "b.pdf 10 bytes62%",
      "c.png 10 bytesError UploadingThe connection was lost at 48%.",
      "d.txt 10 bytesError UploadingThere is no room.",
    ]);
    await expectText(status(), "1 of 4 files completed. 2 failed. Wait for 1 upload to finish.");
    await expect.poll(logged).toEqual(["A file could not be uploaded:", "A file could not be uploaded:"]);
    await button("Retry c.png").click();
    (await transferOf("c.png", 4)).answer(201);
    await expect.element(rows().nth(2)).toHaveTextContent("Completed");
  });

  it("[FILESET-26][FILESET-36] are completed once they are stored, and appear in the listing", async () => {
    await begin();
    for (const name of ["a.csv", "b.pdf", "c.png", "d.txt"]) (await transferOf(name)).answer(201);
    await expectTexts(rows(), [/^a\.csv.*Completed$/, /^b\.pdf.*Completed$/, /^c\.png.*Completed$/, /^d\.txt.*Completed$/]);
    await expect
      .poll(() => onUploaded.mock.calls.flatMap(([paths]) => paths))
      .toEqual(["a.csv", "b.pdf", "c.png", "d.txt"].map((name) => `season-2005/${name}`));
  });

  it("[FILESET-28] keep Done disabled while one is uploaded", async () => {
    await open();
    await expect.element(button("Done")).toBeEnabled();
    await choose(file("a.csv"), file("b.pdf"));
    await expect.element(button("Done")).toBeDisabled();
    (await transferOf("a.csv")).answer(201);
    (await transferOf("b.pdf")).progress(100);
    await expect.element(rows().nth(1)).toHaveTextContent("99%");
    await expect.element(button("Done")).toBeDisabled();
    (await transferOf("b.pdf")).answer(201);
    await expect.element(button("Done")).toBeEnabled();
    await button("Done").click();
    await expectCount(dialog(), 0);
  });
});

it("refuses files over the limit and with impossible names before they are uploaded, and writes names in normal form C", async () => {
  usePortal.setState({ settings: { ...defaultPortalSettings, limits: { ...defaultLimits, uploadMaxBytes: 1_000 } } });
  await open();
  await choose(file("large.bin", 1_001), file("a\\b.txt"), file("e\u0301.txt", 1_000));
  await expectTexts(rows(), [
    "large.bin 1.0 KBError UploadingThe file is larger than 1.0 KB, the limit of this portal.",
    "a\\b.txt 10 bytesError UploadingThe name has a backslash.",
    "\u00e9.txt 1.0 KB0%",
  ]);
  await expectCount(dialog().getByRole("button", { name: /^Retry/ }), 0);
  expect(FakeTransfer.sent.map(({ url }) => url)).toEqual([expect.stringContaining("file=%C3%A9.txt&")]);
  await choose(file("\u00e9.txt"), file("invoice\u202efdp.exe"), file("\u200b"));
  await expect.element(rows().nth(3)).toHaveTextContent("A file with this name is already in the list.");
  await expect.element(rows().nth(4)).toHaveTextContent("The name must not contain marks that change the reading direction.");
  await expect.element(rows().nth(5)).toHaveTextContent("The name has a part that is blank.");
});

describe("a large file", () => {
  let logged: () => string[];
  beforeEach(() => {
    logged = loggedFailures();
  });

  const partBytes = 10;
  const content = file("large.csv", 25);
  const partUrls = () => FakeTransfer.sent.map(({ url }) => Number(/parts\/(\d+)/.exec(url)?.[1]));
  const settings = { ...defaultPortalSettings, limits: { ...defaultLimits, uploadPartsFromBytes: 20 } };
  const openLarge = async (changes: Partial<typeof settings> = {}): Promise<void> => {
    usePortal.setState({ settings: { ...settings, ...changes } });
    gateway.answer(filesetUploads.partUrl, ({ params }) => ({ uploadUrl: `/api/uploads/parts/${params.part}?signature=s` }));
    gateway.answer(filesetUploads.confirmPart, undefined);
    gateway.answer(filesetUploads.abort, undefined);
    gateway.answer(filesetUploads.complete, { filename: "large.csv", size: 25, lastModified: "2026-01-01T00:00:00.000Z" });
    await open();
  };
  const started = (...received: number[]) => gateway.answer(filesetUploads.start, { uploadId: "u1", partBytes, received });
  const sent = (count: number) => vi.waitUntil(() => FakeTransfer.sent[count - 1], { timeout: 10_000 });

  it("[FILESET-25][FILESET-26] is sent in parts, continues by itself after a lost connection, and confirms parts that went to the store", async () => {
    started();
    await openLarge();
    gateway.answer(filesetUploads.partUrl, ({ params, query }) => ({
      uploadUrl: `https://store.example.org/parts/${params.part}`,
      headers: { "x-amz-checksum-crc32c": query.crc32c ?? "" },
    }));
    await choose(content);
    (await sent(1)).answer(200, {}, { vary: "origin", etag: '"a1"' });
    await expectTexts(rows(), ["large.csv 25 bytes40%"]);
    (await sent(2)).progress(50);
    await expectTexts(rows(), ["large.csv 25 bytes60%"]);
    started(1);
    (await sent(2)).break();
    await expectTexts(rows(), ["large.csv 25 bytes60%, waiting for the connection"]);
    await expect.element(button("Done")).toBeDisabled();
    (await sent(3)).answer(200);
    (await sent(4)).answer(200);
    await expectTexts(rows(), ["large.csv 25 bytesCompleted"]);
    expect(partUrls()).toEqual([1, 2, 2, 3]);
    // CRC32C of ten and of five letters x, computed by another program.
    const [ten, five] = ["IHuXmg==", "97N5Rg=="];
    expect(FakeTransfer.sent.map((transfer) => [transfer.file?.size, Object.fromEntries(transfer.headers)])).toEqual(
      [ten, ten, ten, five].map((crc32c) => [crc32c === ten ? 10 : 5, { "x-amz-checksum-crc32c": crc32c }]),
    );
    expect(gateway.received(filesetUploads.start).map(({ body }) => body)).toEqual(
      [1, 2].map(() => ({ file: "large.csv", size: 25, version: String(content.lastModified) })),
    );
    expect(gateway.received(filesetUploads.confirmPart).map(({ params, body }) => [params.part, body])).toEqual([
      ["1", { etag: '"a1"' }],
      ["2", {}],
      ["3", {}],
    ]);
    expect(onUploaded).toHaveBeenCalledWith(["large.csv"]);
  });

  it("sends a part once again that did not arrive as it was sent", async () => {
    started(1);
    await openLarge();
    await choose(content);
    const damaged = { errors: [{ code: "invalid-value", message: "The part does not match its checksum.", path: "part" }] };
    (await sent(1)).answer(400, damaged);
    (await sent(2)).answer(204);
    await expectTexts(rows(), ["large.csv 25 bytes80%"]);
    (await sent(3)).answer(400, damaged);
    (await sent(4)).answer(400, damaged);
    await expectTexts(rows(), ["large.csv 25 bytesError UploadingThe part does not match its checksum."]);
    expect(partUrls()).toEqual([2, 2, 3, 3]);
    await expect.poll(logged).toEqual(["A file could not be uploaded:"]);
  });

  it("sends a part again in whose place something that had broken off has arrived, once", async () => {
    started(1, 2);
    await openLarge();
    gateway.refuse(filesetUploads.complete, "conflict", "The file is not complete: send the parts 2.", { path: "uploadId" });
    await choose(content);
    (await sent(1)).answer(204);
    started(1, 3);
    (await sent(2)).answer(204);
    await expectTexts(rows(), ["large.csv 25 bytesError UploadingThe file is not complete: send the parts 2."]);
    expect([partUrls(), gateway.received(filesetUploads.complete).length]).toEqual([[3, 2], 2]);
  });

  it("continues with what an earlier page has sent, asks again for a lost answer only, and shows that it is scanned", async () => {
    started(1, 2);
    await openLarge({ scansUploads: true });
    gateway.disconnect(filesetUploads.complete, { times: 1 });
    await choose(content);
    await expectTexts(rows(), ["large.csv 25 bytes80%"]);
    (await sent(1)).answer(204);
    await expectTexts(rows(), [/^large\.csv 25 bytes(Scanning\.\.\.|99%, waiting for the connection|Completed)$/]);
    await expectTexts(rows(), ["large.csv 25 bytesCompleted"]);
    expect([partUrls(), gateway.received(filesetUploads.start).length, gateway.received(filesetUploads.complete).length]).toEqual([
      [3],
      1,
      2,
    ]);
    await choose(file("small.csv"));
    (await transferOf("small.csv")).upload.dispatchEvent(new Event("load"));
    await expectTexts(rows(), ["large.csv 25 bytesCompleted", "small.csv 10 bytesScanning..."]);
    (await transferOf("small.csv")).answer(422, { errors: [{ code: "infected", message: "The scanner found something." }] });
    await expectTexts(rows(), ["large.csv 25 bytesCompleted", "small.csv 10 bytesError UploadingThe scanner found something."]);
    await expectCount(dialog().getByRole("button", { name: "Retry small.csv" }), 0);
  });

  it("is discarded when the user cancels it and closes, and kept when it failed", async () => {
    started();
    await openLarge();
    gateway.answer(filesetUploads.start, ({ body }) => ({ uploadId: body.file, partBytes, received: [] }));
    await choose(file("a.csv", 20), file("b.csv", 20));
    await sent(2);
    (await vi.waitUntil(() => FakeTransfer.sent[1])).answer(507, { errors: [{ code: "no-room", message: "There is no room." }] });
    await button("Cancel a.csv").click();
    await expectTexts(rows(), ["a.csv 20 bytesCanceled", "b.csv 20 bytesError UploadingThere is no room."]);
    await button("Done").click();
    await expect.poll(() => gateway.received(filesetUploads.abort).map(({ params }) => params.uploadId)).toEqual(["a.csv"]);
  });
});

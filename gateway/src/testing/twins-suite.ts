import type { InternalDataset } from "@fairway/contract/internal-datasets";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { contractRoutes } from "./contract-routes.ts";
import type { demoGateway } from "./demo-gateway.ts";
import type { NamedDataset } from "./rights-cases.ts";
import { type TwinsCase, type TwinsRequest, arrow, at, breakdown, canary, furtherCases, search, walkedCases } from "./twins-cases.ts";
import { type TwinsReader, type TwinsRows, ruled, twins, twinsAccounts, twinsDatasets, twinsReaders } from "./twins-data.ts";
import { sheetRows } from "./workbooks.ts";

type Gateway = Awaited<ReturnType<typeof demoGateway>>;

/** A portal, and the kind of data that its datasets are over. */
export interface TwinsSubject {
  readonly gateway: Gateway;
  readonly store: (name: string, rows: TwinsRows) => Promise<InternalDataset["source"]>;
  /** Configures what the data is in, such as the server of tables. */
  readonly configuration?: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Content of the portal of a `TwinsSubject`. */
export const twinsContent = { categories: [{ id: "wards", description: "" }], datasets: [], usernames: twinsAccounts };

/**
 * Compares each answer of a dataset with rules with that of a dataset without rules, whose data never had what is withheld from the
 * reader.
 */
export function describeTwins(kind: string, open: () => Promise<TwinsSubject>): void {
  describe(`a dataset of ${kind}`, { timeout: 900_000 }, () => {
    let subject: TwinsSubject;
    const tokens: Record<string, string> = {};

    beforeAll(async () => {
      subject = await open();
      for (const username of ["root", ...Object.keys(twinsAccounts)]) tokens[username] = await subject.gateway.token(username);
      const create = async (path: string, body: object) => {
        const { status, text } = await call("root", { method: "POST", path, body: { ...body, enabled: true } });
        expect([path, status, status < 300 ? "" : text]).toEqual([path, expect.any(Number), ""]);
      };
      if (subject.configuration) await create("/admin/config", { name: "live", ...subject.configuration });
      for (const dataset of await twinsDatasets(subject.store)) await create("/admin/datasets/internal", dataset);
      // The walk of ada writes it for the others.
      await call("ada", {
        method: "PUT",
        path: at(twins.max, "/description/community"),
        body: { description: "Words.", columnDescriptions: [] },
      });
    }, 300_000);
    afterAll(() => subject.close());

    async function call(caller: string, { method, path, body, accept }: TwinsRequest) {
      const answer = await subject.gateway.app.inject({
        method: method as "GET",
        url: `/api${path}`,
        headers: { authorization: `Bearer ${tokens[caller]}`, ...(accept === undefined ? {} : { accept }) },
        ...(body === undefined ? {} : { payload: body as object }),
      });
      const { statusCode: status, headers, rawPayload } = answer;
      return { status, bytes: rawPayload, text: answer.body, type: headers["content-type"] };
    }

    /** The answer without what differs by the request itself, or with every call. */
    async function answerOf(reader: TwinsReader, name: string, one: TwinsCase, of: NamedDataset) {
      const request = one(of);
      const { status, text, type, bytes } = await call(reader, request);
      const said = (request.accept === arrow ? bytes.toString("latin1") : text)
        .replaceAll(/ward-[abc]/g, "DATASET")
        .replaceAll(/"(durationMs|searches)":\d+|"(key)":"fwk_[\w-]+"/g, '"$1$2":0')
        .replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, "UUID")
        .replaceAll(/"(\w+(?:Ms|At)?)":17\d{11}(?=[,}])/g, (whole, field: string) => (field === "at" ? whole : `"${field}":TIME`));
      return { name, status, type, text: withoutFlags(request.path.endsWith("/tracks") ? inOneOrder(said) : said) };
    }

    /** The bytes of a file that `start` makes. */
    async function fileOf(reader: TwinsReader, start: TwinsRequest): Promise<Buffer> {
      const started = await call(reader, start);
      expect([started.status, started.status < 300 ? "" : started.text]).toEqual([202, ""]);
      const { exportId } = JSON.parse(started.text) as { exportId: string };
      await vi.waitFor(
        async () => {
          const state = await call(reader, { method: "GET", path: `/exports/${exportId}` });
          expect(JSON.parse(state.text)).toMatchObject({ status: "done" });
        },
        { timeout: 60_000, interval: 30 },
      );
      return (await call(reader, { method: "GET", path: `/exports/${exportId}/file` })).bytes;
    }

    it.each(twinsReaders)("answers %s of a dataset with rules what it answers of one that never had what is withheld", async (reader) => {
      const cases = { ...walkedCases(), ...furtherCases };
      expect(Object.keys(cases).length).toBeGreaterThan(80);
      const different: unknown[] = [];
      for (const [name, one] of Object.entries(cases)) {
        // Others in between, with everything that is kept of their answers.
        await call("eve", one(ruled));
        const [found, expected] = [await answerOf(reader, name, one, ruled), await answerOf(reader, name, one, twins[reader])];
        if (JSON.stringify(found) !== JSON.stringify(expected)) different.push([name, found, expected]);
        if (found.status >= 500) different.push([name, found]);
      }
      expect(different).toEqual([]);
    });

    it("explains a breakdown without its rules", async () => {
      const explain = async (of: NamedDataset) =>
        (
          await call("root", {
            method: "POST",
            path: at(of, "/breakdown/explain"),
            body: breakdown({ by: [{ kind: "value", column: "region" }] }),
          })
        ).text;
      expect(await explain(ruled)).toBe((await explain(twins.ada)).replaceAll("ward-b", "ward-a"));
    });

    it("shows nothing that is withheld in any list", async () => {
      const lists = (await contractRoutes()).filter(
        ({ method, path, access: who, endless }) => method === "GET" && !path.includes(":") && who === "signed-in" && endless !== true,
      );
      const queries: Readonly<Record<string, string>> = { "/datasets/find": `?text=${canary}`, "/sharing/candidates": `?text=${canary}` };
      const shownIn: string[] = [];
      for (const { path } of lists) {
        for (const reader of twinsReaders) {
          const { text } = await call(reader, { method: "GET", path: `${path}${queries[path] ?? ""}` });
          if (text.includes(canary)) shownIn.push(`${reader} ${path}`);
        }
      }
      expect(shownIn).toEqual([]);
      const found = async (who: string, text: string) =>
        JSON.parse((await call(who, { method: "GET", path: `/datasets/find?text=${text}` })).text) as unknown;
      expect(await found("eve", canary)).toMatchObject({ total: 1 });
      for (const reader of twinsReaders) {
        for (const text of [canary, `${canary}s`, "quaggo", "loud"]) expect(await found(reader, text)).toEqual({ total: 0, hits: [] });
      }
    });

    it.each(["csv", "json", "parquet", "arrow", "xlsx"] as const)("exports as %s what the reader has", async (format) => {
      // A workbook names its dataset and the time in compressed parts.
      const contentOf = async (file: Buffer) => (format === "xlsx" ? await sheetRows(file) : file.toString("latin1"));
      const exported = (reader: TwinsReader, of: NamedDataset) =>
        fileOf(reader, { method: "POST", path: at(of, "/export"), body: { format, search } });
      for (const reader of twinsReaders) {
        const [found, expected] = [await exported(reader, ruled), await exported(reader, twins[reader])];
        expect(found.includes(canary)).toBe(false);
        expect(await contentOf(found)).toEqual(await contentOf(expected));
      }
    });

    it("exports as groups what the reader has", async () => {
      const groups = {
        format: "csv",
        breakdown: breakdown({
          by: [
            { kind: "value", column: "region" },
            { kind: "value", column: "lat" },
          ],
        }),
      };
      const exported = (reader: TwinsReader, of: NamedDataset) =>
        fileOf(reader, { method: "POST", path: at(of, "/breakdown/export"), body: groups });
      for (const reader of twinsReaders) expect((await exported(reader, ruled)).equals(await exported(reader, twins[reader]))).toBe(true);
    });
  });
}

/** Rows of tracks come in no particular order. */
const inOneOrder = (text: string): string =>
  text
    .split(/(?<=\}),(?=\{)|(?<=\[)(?=\{)|(?<=\})(?=\])/)
    .toSorted()
    .join("\n");

/** The flags that tell of a part. */
const withoutFlags = (text: string): string => text.replace(/,"access":\{.*?"version":"[\w-]+"\}/, "");

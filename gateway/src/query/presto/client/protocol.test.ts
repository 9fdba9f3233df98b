import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { FakeError } from "../testing/fake-answers.ts";
import { FakeCoordinator } from "../testing/fake-coordinator.ts";
import { type Exchange, protocolExchanges } from "../testing/protocol-exchanges.ts";
import { kindOfVersion } from "./protocol.ts";

const servers = [
  { kind: "trino", recording: new URL("../testing/trino-476.json", import.meta.url), url: process.env["TRINO_URL"] },
  { kind: "presto", recording: new URL("../testing/presto-0.287.json", import.meta.url), url: process.env["PRESTO_URL"] },
] as const;
const isRecording = process.env["FAIRWAY_RECORD_SQL_SERVERS"] === "1";

/** Whether a recorded answer says all that another one says. Numbers, ids and texts of errors may differ. */
function says(recorded: unknown, seen: unknown, field = ""): boolean {
  if (typeof seen === "number") return typeof recorded === "number";
  if (field === "message" || field === "version") return typeof seen === typeof recorded;
  if (Array.isArray(seen)) return Array.isArray(recorded) && seen.every((one, at) => says(recorded[at], one));
  if (typeof seen !== "object" || seen === null) return seen === recorded;
  const fields = Object(recorded) as Record<string, unknown>;
  return Object.entries(seen).every(([key, value]) => says(fields[key], value, key));
}

const head = ({ method, path, status, contentType }: Exchange): string => `${method} ${path} → ${status} ${contentType}`;

/** By what was done: how often and when a server answers that it still works differs. */
function endsOf(exchanges: readonly Exchange[]): string[] {
  const ends = exchanges.map(({ what, status, body }) => {
    const { error } = Object(body) as { error?: { errorName?: string; errorType?: string } };
    return `${what}: ${status} ${error ? `${error.errorName} ${error.errorType}` : ""}`;
  });
  return [...new Set(ends)].toSorted();
}

/**
 * Answers that say what no recorded one says. Which of a statement's answers says its columns, its rows or its error first depends
 * on the load of the server, so that each part of an answer may come from another recorded one.
 */
function deviations(recording: URL, seen: readonly Exchange[]): string[] {
  const recorded = JSON.parse(readFileSync(recording, "utf8")) as Exchange[];
  expect(endsOf(seen)).toEqual(endsOf(recorded));
  const isRecorded = (one: Exchange): boolean => {
    const others = recorded.filter((other) => head(one) === head(other));
    if (one.contentType === "text/html" || typeof one.body !== "object" || one.body === null) {
      return others.some((other) => one.contentType === "text/html" || says(other.body, one.body));
    }
    // Also whether a statement is still queued or runs already when it says its columns.
    const sources = [...others, ...recorded.filter((other) => other.what === one.what && other.status === one.status)];
    return (
      others.length > 0 && Object.entries(one.body).every((part) => sources.some((other) => says(other.body, Object.fromEntries([part]))))
    );
  };
  return seen.filter((one) => !isRecorded(one)).map((one) => `${one.what}: ${head(one)} ${JSON.stringify(one.body).slice(0, 1_000)}`);
}

const error = (errorCode: number, errorName: string, errorType: FakeError["errorType"] = "USER_ERROR"): FakeError => ({
  message: "…",
  errorCode,
  errorName,
  errorType,
});

describe.each(servers)("the protocol of $kind", ({ kind, recording, url }) => {
  it.runIf(isRecording && url !== undefined)("is recorded", { timeout: 300_000 }, async () => {
    const exchanges = await protocolExchanges(kind, url ?? "");
    expect(exchanges.length).toBeGreaterThan(30);
    writeFileSync(recording, `${JSON.stringify(exchanges, null, 2)}\n`);
  });

  it.runIf(!isRecording && url !== undefined)("is as recorded, from a real server", { timeout: 300_000 }, async () => {
    expect(deviations(recording, await protocolExchanges(kind, url ?? ""))).toEqual([]);
  });

  it("is as recorded, from the fake server", { timeout: 60_000 }, async () => {
    const fake = await FakeCoordinator.start({ kind });
    const isTrino = kind === "trino";
    const rows = [
      [0, "ALGERIA"],
      [1, "ARGENTINA"],
      [2, "BRAZIL"],
    ];
    const rowColumns = [
      { name: "nationkey", type: "bigint" },
      { name: "name", type: "varchar(25)" },
    ];
    fake.answer(/nation where/, { columns: rowColumns, pages: [rows] });
    const preparedColumns = [
      { name: "a", type: "bigint" },
      { name: "b", type: "varchar(1)" },
    ];
    fake.answer(/select \? as a/, { columns: preparedColumns, pages: [[[1, "x"]]] });
    fake.answer(/nothing$/, { queued: 0, error: isTrino ? error(46, "TABLE_NOT_FOUND") : error(1, "SYNTAX_ERROR") });
    fake.answer(/ - nationkey/, { error: error(8, "DIVISION_BY_ZERO") });
    fake.answer(/sf100/, { columns: [{ name: "_col0", type: "bigint" }], isEndless: true });
    fake.answer(/limit 1$/, { queued: isTrino ? 1 : 100, isEndless: true });
    fake.answer(/^select 1$/, { columns: [{ name: "_col0", type: "integer" }], pages: [[[1]]] });
    try {
      expect(deviations(recording, await protocolExchanges(kind, fake.url, 0))).toEqual([]);
    } finally {
      await fake.close();
    }
  });
});

it("recognizes the kind of server from its version", () => {
  const versions = { trino: ["476", "351", "429-e.4", "435-amzn-0"], presto: ["0.287", "0.287-edbfb49", "350", "0.75-SNAPSHOT"] } as const;
  for (const kind of ["trino", "presto"] as const) expect(versions[kind].map(kindOfVersion)).toEqual(versions[kind].map(() => kind));
  for (const version of ["", "unknown", "0", "testversion", "20260101"]) expect(kindOfVersion(version)).toBeUndefined();
});

import type { Column } from "@fairway/contract/columns";
import { type DataImport, imports, type ImportChoices } from "@fairway/contract/imports";
import type { OwnData, OwnDataset, OwnDatasetVersion } from "@fairway/contract/own-datasets";
import type { Reading } from "@fairway/contract/readings";
import type { Locator } from "vitest/browser";
import type { ContractGateway } from "./contract-gateway.ts";
import { buildColumn } from "./dataset-builders.ts";

/** Of a portal to which nobody brings data: no screen has a door. */
export const noOwnData: OwnData = {
  mayImport: false,
  who: "nobody",
  mayShareWithEveryone: true,
  room: { bytes: 0, maxBytes: 2_000_000_000, datasets: 0, maxDatasets: 100, maxFileBytes: 1_000_000_000 },
  datasets: [],
};

/** Of a user who may bring data. */
export const buildOwnData = (overrides: Partial<OwnData> = {}): OwnData => ({ ...noOwnData, mayImport: true, who: "role", ...overrides });

export const buildOwnDataset = (overrides: Partial<OwnDataset> = {}): OwnDataset => ({
  id: "own-1",
  datasetCategory: "~ada",
  datasetId: "rain-2024",
  title: null,
  owner: { userId: "u-ada", username: "ada" },
  ownerState: "active",
  can: "own",
  shares: [],
  rows: 1_200,
  bytes: 58_000,
  createdMs: 1_700_000_000_000,
  changedMs: 1_700_000_000_000,
  dataVersion: 1,
  isEnabled: true,
  goneMs: null,
  ...overrides,
});

export const buildVersion = (overrides: Partial<OwnDatasetVersion> = {}): OwnDatasetVersion => ({
  version: 1,
  kind: "created",
  rows: 1_200,
  bytes: 58_000,
  files: [{ file: "rain-2024.csv", size: 58_000, rows: 1_200 }],
  createdMs: 1_700_000_000_000,
  by: "ada",
  isCurrent: false,
  isKept: true,
  ...overrides,
});

const day = (text: string): number => Date.parse(`${text}T00:00:00Z`) / 1_000;

const rainColumns: readonly Column[] = [
  buildColumn("station"),
  buildColumn("place"),
  buildColumn("month", { type: "TIMESTAMP_SECONDS", day: true }),
  buildColumn("rain", { type: "decimal", unit: "mm" }),
  buildColumn("wet_days", { type: "integer" }),
  buildColumn("lat", { type: "decimal" }),
  buildColumn("lon", { type: "decimal" }),
];

const stations = [
  ["0012", "Norderney", 53.71, 7.15],
  ["0031", "Büsum", 54.13, 8.86],
  ["0047", "Größwang", 47.92, 12.31],
  ["0112", "Lindau", 47.55, 9.68],
  ["0140", "Görlitz", 51.15, 14.98],
] as const;

/** The first rows of a file with rain by station and month, in either order of dates. Line 9 has a value that is no number. */
function rainRows(isDayFirst: boolean): NonNullable<DataImport["sample"]>["rows"] {
  return stations.flatMap(([station, place, lat, lon], at) =>
    [1, 2, 3, 4].map((month) => {
      const line = 3 + at * 4 + (month - 1);
      const two = `0${month}`;
      return {
        line,
        values: {
          station,
          place,
          month: day(isDayFirst ? `2024-${two}-01` : `2024-01-${two}`),
          rain: 40 + at * 8 + month * 3.25,
          wet_days: line === 9 || line === 13 ? null : 12 + ((at + month) % 8),
          lat,
          lon,
        },
        unreadable: line === 9 ? { wet_days: "7?" } : undefined,
      };
    }),
  );
}

const columnOf = (name: string, overrides: Partial<Reading["columns"][number]> = {}): Reading["columns"][number] => ({
  header: name,
  name,
  type: "STRING",
  format: null,
  day: false,
  unit: null,
  zone: null,
  filled: 1_200,
  empty: 0,
  unreadable: { count: 0, first: [] },
  state: "sure",
  sentence: "Text.",
  also: [],
  ...overrides,
});

function rainReading(answer: string | undefined, choices: ImportChoices): Reading {
  const taken = answer ?? "day-first";
  const wetIsText = choices.columns?.["wet_days"]?.type === "STRING";
  const text = { type: "STRING" as const, format: null, label: "text", unreadable: 0 };
  return {
    files: [
      {
        file: "rain-2024.csv",
        format: "csv",
        encoding: choices.files?.["1"]?.encoding ?? "windows-1252",
        encodingState: "sure",
        delimiter: ";",
        quote: '"',
        headerLine: 2,
        skipLines: 1,
        path: null,
        paths: [],
        rows: 1_200,
        checkedRows: null,
        unreadable: { count: 0, first: [] },
        sentences: ["The delimiter is named in line 1 (sep=;)."],
      },
    ],
    fileCount: 1,
    rows: 1_200,
    dateOrder: taken === "day-first" ? "day-first" : "month-first",
    decimalMark: ",",
    zone: "UTC",
    missingWords: [...(choices.missingWords ?? ["n/a", "na", "unknown", "-", "?"])],
    columns: [
      columnOf("station", { label: "text, zeros kept", sentence: "Values begin with a zero." }),
      columnOf("place"),
      columnOf("month", {
        type: "TIMESTAMP_SECONDS",
        format: "D/M/Y",
        day: true,
        label: taken === "day-first" ? "day, day first" : "day, month first",
        state: answer === undefined ? "assumed" : "sure",
        sentence: "No day above 12 proves an order.",
        also: [text],
      }),
      columnOf("rain", {
        type: "decimal",
        format: ",",
        unit: "mm",
        label: "number, decimal comma",
        sentence: "1,187 values prove it.",
        also: [text],
      }),
      columnOf(
        "wet_days",
        wetIsText
          ? { filled: 1_197, empty: 3 }
          : {
              type: "integer",
              filled: 1_197,
              empty: 3,
              unreadable: { count: 5, first: [{ line: 9, text: "7?" }] },
              state: "mixed",
              sentence: "5 values are no whole numbers.",
              also: [text],
            },
      ),
      columnOf("lat", { type: "decimal", format: "." }),
      columnOf("lon", { type: "decimal", format: "." }),
    ],
    questions: [
      {
        question: "dateOrder",
        columns: ["month"],
        sentence: "Is 01/02/2024 in February or January?",
        options: [
          { option: "day-first", label: "Day first", examples: [{ text: "01/02/2024", becomes: "2024-02-01" }] },
          { option: "month-first", label: "Month first", examples: [{ text: "01/02/2024", becomes: "2024-01-02" }] },
        ],
        taken,
        isAnswered: answer !== undefined,
      },
    ],
    checkedRows: null,
    sentences: [],
  };
}

const bars = [3, 9, 18, 16, 12, 8, 6, 4, 2, 1];

/** An import of a file about rain that was read, as chosen. */
export function buildImport(overrides: Partial<DataImport> = {}, choices: ImportChoices = {}): DataImport {
  const answer = choices.answers?.["dateOrder"] ?? choices.dateOrder ?? undefined;
  const leftOut = Object.entries(choices.columns ?? {}).filter(([, choice]) => choice?.leaveOut === true);
  const reading = rainReading(answer, choices);
  const columns = rainColumns
    .filter(({ name }) => !leftOut.some(([one]) => one === name))
    .map((column) => Object.assign({}, column, { type: reading.columns.find(({ name }) => name === column.name)?.type ?? column.type }));
  return {
    id: "import-1",
    status: "ready",
    createdMs: Date.now(),
    expiresMs: Date.now() + 86_400_000,
    from: null,
    into: null,
    suggestedName: "rain-2024",
    files: [{ number: 1, file: "rain-2024.csv", size: 58_000, partBytes: 8_000_000, received: [1] }],
    progress: null,
    reading,
    isPartial: false,
    sample: {
      columns,
      rows: rainRows(reading.dateOrder === "day-first"),
      spreads: columns.map(({ name }, at) => ({
        column: name,
        counts: bars.map((_, index) => bars[(index + at) % bars.length] ?? 0),
        least: null,
        greatest: null,
      })),
    },
    openQuestions: answer === undefined ? ["dateOrder"] : [],
    drift: [],
    fields: { temporalField: "month", latitude: "lat", longitude: "lon", itemField: "station" },
    dataset: null,
    failure: null,
    ...Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined)),
  };
}

/** Serves one import, whose choices are merged as the gateway does. Returns how to change it. */
export function serveImport(
  gateway: ContractGateway,
  overrides: Partial<DataImport> = {},
): {
  change: (changed: Partial<DataImport>) => void;
  data: () => DataImport;
} {
  let choices: ImportChoices = {};
  let current = overrides;
  const data = () => buildImport(current, choices);
  gateway.answer(imports.start, data);
  gateway.answer(imports.list, []);
  gateway.answer(imports.one, data);
  gateway.answer(imports.complete, data);
  gateway.answer(imports.choose, ({ body }) => {
    const columns = Object.entries(body.columns ?? {}).map(([name, choice]) => [name, { ...choices.columns?.[name], ...choice }]);
    choices = {
      ...choices,
      ...body,
      answers: { ...choices.answers, ...body.answers },
      columns: { ...choices.columns, ...(Object.fromEntries(columns) as ImportChoices["columns"]) },
    };
    return data();
  });
  gateway.answer(imports.rows, {
    rows: [{ file: "rain-2024.csv", line: 9, text: "7?", column: "wet_days", reason: "no whole number" }],
    total: 1,
  });
  gateway.answer(imports.discard, undefined);
  return { change: (changed) => void (current = { ...current, ...changed }), data };
}

/** Drops files on an element, as a user does from the desktop. */
export async function dropFiles(target: Locator, files: readonly File[]): Promise<void> {
  const element = await target.findElement();
  const dataTransfer = new DataTransfer();
  for (const file of files) dataTransfer.items.add(file);
  const fire = (type: string) => element.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
  fire("dragenter");
  fire("dragover");
  fire("drop");
}

/** Pastes a text outside of any field. */
export function pasteText(text: string): void {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  document.body.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData }));
}

import { parseArgs } from "node:util";
import { type ExportDraft, Fairway } from "../client/index.ts";
import { UsageError, exitCodeOf, exitCodes, messageOf } from "./failures.ts";
import { getFiles, listFiles, putFiles, removeFiles } from "./files.ts";
import { type Command, help } from "./help.ts";
import { listAlerts, listBoards } from "./watched.ts";
import { type Format, formats } from "./rows.ts";
import { countRows, describeDataset, exportDataset, findDatasets, listDatasets, listFilesets, searchDataset } from "./search.ts";
import { summarizeDataset } from "./summary.ts";
import { type Terminal, printable, processTerminal } from "./terminal.ts";

/** Set by the build. */
declare const FAIRWAY_VERSION: string;

const text = { type: "string" } as const;
const texts = { type: "string", multiple: true } as const;
const flag = { type: "boolean" } as const;

const query = { from: text, to: text, where: texts, compute: texts, sort: texts, columns: text };
const copy = { to: text, recursive: flag, force: flag };
/** The options of each command. */
const options: Record<Command, Record<string, typeof text | typeof texts | typeof flag>> = {
  datasets: { format: text },
  find: { format: text },
  describe: { format: text },
  search: { ...query, format: text, limit: text, "iso-times": flag },
  count: { from: text, to: text, where: texts, compute: texts },
  summarize: {
    from: text,
    to: text,
    where: texts,
    compute: texts,
    by: texts,
    zone: text,
    measure: texts,
    top: text,
    other: flag,
    having: texts,
    compare: text,
    format: text,
  },
  export: { ...query, format: text, output: text, force: flag },
  boards: { format: text },
  alerts: { format: text },
  filesets: { format: text },
  "files ls": { recursive: flag, format: text },
  "files get": copy,
  "files put": copy,
  "files rm": {},
};

const terminal = processTerminal();
try {
  process.exitCode = await run(process.argv.slice(2), terminal);
} catch (error) {
  terminal.note(`fairway: ${printable(terminal.signal.aborted ? "interrupted" : messageOf(error))}`);
  if (error instanceof UsageError) terminal.note("Try 'fairway --help'.");
  process.exitCode = terminal.signal.aborted ? exitCodes.interrupted : exitCodeOf(error);
}

/** Runs a command and returns its exit code. */
async function run(args: readonly string[], io: Terminal): Promise<number> {
  const [first = "", second = ""] = args;
  const name = first === "files" && !second.startsWith("-") ? `${first} ${second}`.trim() : first;
  if (name === "--version") return print(io, `${FAIRWAY_VERSION}\n`);
  if (name === "" || name === "--help" || name === "-h" || name === "help") return print(io, help[""], name === "" ? exitCodes.usage : 0);
  if (name === "files") return print(io, help[""], second === "--help" ? 0 : exitCodes.usage);
  if (!isCommand(name)) throw new UsageError(`There is no command ${JSON.stringify(name)}.`);
  const { values, positionals } = parse(name, args.slice(name.split(" ").length));
  if (values["help"] === true) return print(io, help[name]);
  return execute(name, values, positionals, io);
}

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

function parse(command: Command, args: readonly string[]): { values: Values; positionals: string[] } {
  try {
    const all = { ...options[command], help: { type: "boolean", short: "h" } as const };
    return parseArgs({ args: [...args], options: all, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function execute(command: Command, values: Values, positionals: readonly string[], io: Terminal): Promise<number> {
  const textOf = (name: string) => values[name] as string | undefined;
  const listOf = (name: string) => values[name] as string[] | undefined;
  const isSet = (name: string) => values[name] === true;
  const queryFlags = {
    from: textOf("from"),
    to: textOf("to"),
    where: listOf("where"),
    compute: listOf("compute"),
    sort: listOf("sort"),
    columns: textOf("columns"),
  };
  const copyFlags = { to: textOf("to"), recursive: isSet("recursive"), force: isSet("force") };
  const [first = "", ...others] = positionals;
  const only = (count: number) => requireArguments(command, positionals, count, count);

  switch (command) {
    case "datasets":
      only(0);
      return done(listDatasets(connect(), io, formatOf(textOf("format"))));
    case "find":
      only(1);
      return done(findDatasets(connect(), io, first, formatOf(textOf("format"))));
    case "describe":
      only(1);
      return done(describeDataset(connect(), io, first, formatOf(textOf("format"))));
    case "search": {
      only(1);
      const flags = { ...queryFlags, format: formatOf(textOf("format")), limit: textOf("limit"), isoTimes: isSet("iso-times") };
      return done(searchDataset(connect(), io, first, flags));
    }
    case "count":
      only(1);
      return done(countRows(connect(), io, first, queryFlags));
    case "summarize": {
      only(1);
      const grouped = { by: listOf("by"), zone: textOf("zone"), measures: listOf("measure"), top: textOf("top"), other: isSet("other") };
      const compared = { having: listOf("having"), compare: textOf("compare"), format: formatOf(textOf("format")) };
      return done(summarizeDataset(connect(), io, first, { ...queryFlags, ...grouped, ...compared }));
    }
    case "export": {
      only(1);
      const output = textOf("output") ?? "";
      if (output === "") throw new UsageError("export needs --output FILE.");
      const format = exportFormatOf(textOf("format") ?? output.slice(output.lastIndexOf(".") + 1));
      return done(exportDataset(connect(), io, first, { ...queryFlags, format, output, force: isSet("force") }));
    }
    case "boards":
      only(0);
      return done(listBoards(connect(), io, formatOf(textOf("format"))));
    case "alerts":
      only(0);
      return done(listAlerts(connect(), io, formatOf(textOf("format"))));
    case "filesets":
      only(0);
      return done(listFilesets(connect(), io, formatOf(textOf("format"))));
    case "files ls": {
      requireArguments(command, positionals, 1, 2);
      const flags = { recursive: isSet("recursive"), format: formatOf(textOf("format")) };
      return done(listFiles(connect(), io, [first, others[0] ?? ""], flags));
    }
    case "files get":
      requireArguments(command, positionals, 2);
      return getFiles(connect(), io, first, others, copyFlags);
    case "files put":
      requireArguments(command, positionals, 2);
      return putFiles(connect(), io, first, others, copyFlags);
    case "files rm":
      requireArguments(command, positionals, 2);
      return removeFiles(connect(), io, first, others);
    default:
      return command satisfies never;
  }
}

function connect(): Fairway {
  const { FAIRWAY_URL: url = "", FAIRWAY_API_KEY: apiKey = "" } = process.env;
  if (url === "") throw new UsageError("Set FAIRWAY_URL to the address of the portal.");
  if (apiKey === "") throw new UsageError("Set FAIRWAY_API_KEY to an API key of yours.");
  return new Fairway({ url, apiKey });
}

function isCommand(name: string): name is Command {
  return Object.hasOwn(options, name);
}

function requireArguments(command: Command, positionals: readonly string[], min: number, max = Infinity): void {
  if (positionals.length < min || positionals.length > max) throw new UsageError(help[command].slice(0, help[command].indexOf("\n")));
}

function formatOf(name = "table"): Format {
  const format = formats.find((one) => one === name);
  if (format === undefined) throw new UsageError(`--format ${name} is not one of ${formats.join(", ")}.`);
  return format;
}

/** By a format, or by the extension of a file: that of Arrow streams is `arrows`. */
function exportFormatOf(name: string): ExportDraft["format"] {
  if (name === "csv" || name === "json" || name === "parquet" || name === "arrow" || name === "xlsx") return name;
  if (name === "arrows") return "arrow";
  throw new UsageError("export needs --format csv, json, parquet, arrow or xlsx.");
}

async function print(io: Terminal, message: string, exitCode = 0): Promise<number> {
  await io.write(message);
  return exitCode;
}

async function done(work: Promise<void>): Promise<number> {
  await work;
  return 0;
}

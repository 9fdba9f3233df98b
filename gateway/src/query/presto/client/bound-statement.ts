import { EngineFailed } from "#query/engine.ts";
import type { Compiled } from "#query/sql/compile.ts";

/** A statement as the server gets it: with its values as parameters, and the same with its values as literals. */
export interface BoundStatement {
  /** Undefined for a statement without parameters. */
  readonly prepared: { readonly statement: string; readonly execute: string } | undefined;
  readonly literal: string;
}

/** Within the headers of one request only, so that every statement can have the same name. */
export const preparedName = "fairway";

interface Piece {
  readonly text: string;
  /** Counted from 0; undefined at the end of the statement. */
  readonly parameter: number | undefined;
}

/**
 * Binds the values of a statement. Parameters after LIMIT and OFFSET become whole numbers in the statement, since Presto's
 * grammar takes nothing else there. Throws EngineFailed for a value that no literal can express.
 */
export function bindStatement({ sql, parameters }: Compiled): BoundStatement {
  const literals = parameters.map(literalOf);
  const pieces = splitAtParameters(sql);
  const used: string[] = [];
  let statement = "";
  let literal = "";
  for (const { text, parameter } of pieces) {
    statement += text;
    literal += text;
    if (parameter === undefined) continue;
    const value = literals[parameter];
    if (value === undefined) throw new Error(`the statement has no parameter $${parameter + 1}`);
    if (/\b(?:limit|offset)\s+$/i.test(text.slice(-20))) {
      const count = wholeNumber(parameters[parameter]);
      statement += count;
      literal += count;
    } else {
      statement += "?";
      literal += value;
      used.push(value);
    }
  }
  const execute = `EXECUTE ${preparedName} USING ${used.join(", ")}`;
  return { literal, prepared: used.length === 0 ? undefined : { statement, execute } };
}

/** Quoted text, quoted names and comments, in which nothing is a parameter; then parameters, and a `?`, which compiled statements never have. */
const tokens = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*|\$(\d{1,6})|\?/g;

function splitAtParameters(sql: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const token of sql.matchAll(tokens)) {
    const [text, number] = token;
    if (text === "?" || text === "/*") throw new Error(`the statement contains ${text}`);
    if (number === undefined) continue;
    pieces.push({ text: sql.slice(at, token.index), parameter: Number(number) - 1 });
    at = token.index + text.length;
  }
  pieces.push({ text: sql.slice(at), parameter: undefined });
  return pieces;
}

function wholeNumber(value: unknown): string {
  if ((typeof value === "bigint" && value >= 0n) || (Number.isSafeInteger(value) && Number(value) >= 0)) return String(value);
  throw new EngineFailed("unsupported", "The number of rows has to be a whole number.");
}

const maxBigint = 2n ** 63n - 1n;
const maxDecimal = 10n ** 38n - 1n;

/** A value as a typed literal that both servers read as exactly this value. Throws EngineFailed for a value that has none. */
export function literalOf(value: unknown): string {
  if (typeof value === "string") return `'${requireEncodable(value).replaceAll("'", "''")}'`;
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  if (typeof value === "bigint") {
    if (value >= -maxBigint && value <= maxBigint) return `BIGINT '${value}'`;
    if (value >= -maxDecimal && value <= maxDecimal) return `DECIMAL '${value}'`;
    throw new EngineFailed("unsupported", "The query server has no numbers of more than 38 digits.");
  }
  if (typeof value !== "number") throw new Error(`a parameter of the type ${typeof value} has no literal`);
  if (Number.isFinite(value)) return `DOUBLE '${value}'`;
  throw new EngineFailed("unsupported", "The query server compares only finite numbers.");
}

/** Half of a surrogate pair would be sent as another character. */
function requireEncodable(text: string): string {
  if (!/\p{Cs}/u.test(text)) return text;
  throw new EngineFailed("unsupported", "The query server cannot search for an incomplete character.");
}

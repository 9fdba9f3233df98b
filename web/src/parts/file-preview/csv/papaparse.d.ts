/** The part of the CSV parser that the web app uses. The package's own types would add the globals of Node. */
interface ParseError {
  type: "Quotes" | "Delimiter" | "FieldMismatch";
  code: string;
  message: string;
  /** Zero-based. */
  row?: number;
  /** Offset of the field in the text. */
  index?: number;
}
interface ParseOptions {
  newline?: "\r\n";
  /** Guessed if empty. */
  delimiter?: string;
  /** Rows after which parsing stops. */
  preview?: number;
  skipEmptyLines?: boolean;
}
export interface ParseResult {
  data: string[][];
  errors: ParseError[];
}
export function parse(text: string, options: ParseOptions): ParseResult;

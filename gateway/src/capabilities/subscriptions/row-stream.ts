import { type ResultRow, resultRow } from "@fairway/contract/search";

/**
 * The rows of a stream of JSON texts, one after another, with the text of each. The texts are pieces of the inside of one array, so
 * that a row may begin in one and end in another.
 */
export async function* rowsOf(chunks: AsyncIterable<string>): AsyncGenerator<{ readonly text: string; readonly row: () => ResultRow }> {
  const scan = { depth: 0, isInText: false, isEscaped: false };
  let begun = "";
  for await (const chunk of chunks) {
    let from = 0;
    for (let index = 0; index < chunk.length; index += 1) {
      if (!closesRow(scan, chunk.charCodeAt(index))) continue;
      const text = (begun + chunk.slice(from, index + 1)).replace(/^[\s,]+/, "");
      begun = "";
      from = index + 1;
      yield { text, row: () => resultRow.parse(JSON.parse(text)) };
    }
    begun += chunk.slice(from);
  }
}

const [quote, backslash, open, close] = ['"', "\\", "{", "}"].map((sign) => sign.charCodeAt(0));

/** Whether the character ends an object that is in no other one. */
function closesRow(scan: { depth: number; isInText: boolean; isEscaped: boolean }, code: number): boolean {
  if (scan.isInText) {
    if (scan.isEscaped) scan.isEscaped = false;
    else if (code === backslash) scan.isEscaped = true;
    else if (code === quote) scan.isInText = false;
    return false;
  }
  if (code === quote) scan.isInText = true;
  else if (code === open) scan.depth += 1;
  else if (code === close) scan.depth -= 1;
  return code === close && scan.depth === 0;
}

/**
 * The beginning of a JSON document, cut after the last complete value of a list or an object in the outermost object, and closed
 * there. A list of cells, for example, ends with the last complete cell.
 */
export function closedJson(text: string): string {
  const closers: string[] = [];
  let end = 0;
  let closing = "";
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isInString) {
      if (character === "\\") index += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === "{") closers.push("}");
    else if (character === "[") closers.push("]");
    else if (character === "}" || character === "]") {
      closers.pop();
      if (closers.length !== 2) continue;
      end = index + 1;
      closing = closers.toReversed().join("");
    }
  }
  return text.slice(0, end) + closing;
}

/** Whether a JSON text nests deeper than `levels`. Looks at the text: parsing and printing recurse. */
export function isTooDeep(text: string, levels: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isInString) {
      if (character === "\\") index += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === "{" || character === "[") {
      depth += 1;
      if (depth > levels) return true;
    } else if (character === "}" || character === "]") depth -= 1;
  }
  return false;
}

/**
 * Whether something that people have saved names one of these columns anywhere: in conditions, formulas, graphs or colors. What only its
 * author's screens understand is searched for texts that equal a name.
 */
export function mentionsAny(saved: unknown, columns: ReadonlySet<string>): boolean {
  if (typeof saved === "string") return columns.has(saved);
  if (typeof saved !== "object" || saved === null) return false;
  return Object.entries(saved).some(
    ([key, value]: [string, unknown]) =>
      columns.has(key) || (key === "expression" && typeof value === "string" ? isInFormula(value, columns) : mentionsAny(value, columns)),
  );
}

/** Formulas find columns in any case of letters. A word of a text in quotes counts as well: rather one too many than one too few. */
function isInFormula(formula: string, columns: ReadonlySet<string>): boolean {
  const text = folded(formula);
  return [...columns].some((name) => text.includes(folded(name)));
}

const folded = (text: string): string => text.normalize("NFC").toLowerCase();

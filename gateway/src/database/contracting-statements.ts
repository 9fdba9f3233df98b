/**
 * Statements after which a gateway of the version before may fail: those that remove, rename or restrict something. What a statement
 * does to a table that the same migration creates does not matter. Decision 0551.
 */
export function contractingStatements(statements: readonly string[]): readonly string[] {
  const created = new Set<string>();
  return statements.filter((statement) => {
    const text = statement.toLowerCase();
    const table = /^create table (?:if not exists )?"?([a-z_]+)/.exec(text)?.[1];
    if (table !== undefined) created.add(table);
    const changed = /^(?:alter table|create (?:unique index|(?:or replace )?trigger) .*?\bon) (?:only )?"?([a-z_]+)/.exec(text)?.[1];
    if (changed !== undefined && created.has(changed)) return false;
    return contracting.some((pattern) => pattern.test(text)) || addsMandatoryColumn(text);
  });
}

const contracting: readonly RegExp[] = [
  /^drop /,
  /^truncate /,
  /^delete /,
  /^create unique index/,
  /^create (?:or replace )?(?:trigger|rule)/,
  /^alter table .* drop /,
  /^alter .* rename /,
  /^alter table .* alter (?:column )?\S+ (?:set (?!default|storage|statistics)|type )/,
  /^alter table .* add (?:constraint|check|unique|primary|foreign|exclude)/,
];

/** A column that the version before does not fill. */
const addsMandatoryColumn = (text: string): boolean =>
  text.startsWith("alter table ") &&
  text.split(/\badd column /).some((part, index) => index > 0 && /\bnot null\b/.test(part) && !/\b(?:default|generated)\b/.test(part));

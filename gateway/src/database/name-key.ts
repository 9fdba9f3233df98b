/** What a `name_key` column holds: names that differ in case or in how a letter is composed count as one, whatever the database's locale. */
export const nameKey = (name: string): string => name.normalize("NFC").toLowerCase();

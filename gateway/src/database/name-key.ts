/** The value of a `name_key` column: equal for names that differ only in case or Unicode composition, regardless of the database's locale. */
export const nameKey = (name: string): string => name.normalize("NFC").toLowerCase();

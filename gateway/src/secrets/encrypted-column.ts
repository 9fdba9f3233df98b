declare const placed: unique symbol;

/**
 * Names where an encrypted text is stored, so that it cannot be decrypted elsewhere. Only the functions of this file make one:
 * nothing can be encrypted without saying whether and where it is stored. Decision 0530.
 */
export type EncryptionContext = string & { readonly [placed]: true };

/** For a text that is handed out and never stored, such as a signature in an address. A new master key makes it invalid. */
export const notStored = (purpose: string): EncryptionContext => purpose as EncryptionContext;

/** Returns a text encrypted with another key in the same context. */
type Reencrypt = (cipher: string, context: EncryptionContext) => string;

interface Location<Key extends string> {
  readonly table: string;
  readonly column: string;
  /** SQL expressions on a row of the table, of which the context of its encryption is made. They must differ between rows and never change. */
  readonly row: Readonly<Record<Key, string>>;
}

/** The values of the expressions for one row. */
type RowOf<Key extends string> = Readonly<Record<Key, string>>;

/** A column with texts that are encrypted with the master key. `operate/encrypted-columns.ts` lists every one, which a test checks. */
export interface EncryptedColumn<Key extends string = string> extends Location<Key> {
  /** The stored value after every encrypted text in it has passed through `reencrypt`. */
  reencrypted(row: RowOf<Key>, value: unknown, reencrypt: Reencrypt): string;
}

/** A column whose whole value is one encrypted text. */
export function encryptedTextColumn<Key extends string>(
  location: Location<Key>,
  context: (row: RowOf<Key>) => string,
): EncryptedColumn<Key> & { readonly contextOf: (row: RowOf<Key>) => EncryptionContext } {
  const contextOf = (row: RowOf<Key>) => context(row) as EncryptionContext;
  return { ...location, contextOf, reencrypted: (row, value, reencrypt) => reencrypt(String(value), contextOf(row)) };
}

/** A column of JSON that holds encrypted texts. `context` names the row and the path of one of them. */
export function encryptedJsonColumn<Key extends string>(
  location: Location<Key>,
  context: (row: RowOf<Key>, path: readonly string[]) => string,
  /** The value with the text at each secret path passed through `change`. */
  changed: (row: RowOf<Key>, value: object, change: (cipher: string, path: readonly string[]) => string) => object,
): EncryptedColumn<Key> & { readonly contextOf: (row: RowOf<Key>, path: readonly string[]) => EncryptionContext } {
  const contextOf = (row: RowOf<Key>, path: readonly string[]) => context(row, path) as EncryptionContext;
  return {
    ...location,
    contextOf,
    reencrypted: (row, value, reencrypt) =>
      JSON.stringify(changed(row, value as object, (cipher, path) => reencrypt(cipher, contextOf(row, path)))),
  };
}

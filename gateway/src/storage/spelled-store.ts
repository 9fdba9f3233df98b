import { type FileKey, isFileKey } from "./key.ts";
import { type FileInfo, FileMissing, type FilePage, type FileStore } from "./storage.ts";

/** A store whose callers write names in normal form C. */
export interface SpelledStore extends FileStore {
  /** The key under which the store has the file and its folders, or would have them; its own calls take either. */
  storedKey(key: FileKey): Promise<FileKey>;
}

/**
 * Finds files whose names, or those of folders, are stored in normal form D, as macOS, rsync and unzip leave them. Lists all names in
 * normal form C. If a store has both spellings of a name, the one in normal form C is meant and the other is left out. Decision 0662.
 */
export function spelledStore(store: FileStore): SpelledStore {
  /** With the folders spelled as they are stored. */
  const storedPrefix = async (prefix: string): Promise<string> => {
    let found = "";
    for (const folder of prefix.split("/").slice(0, -1)) {
      const [exact, other] = [`${found}${folder}/`, `${found}${folder.normalize("NFD")}/`];
      const isOther = other !== exact && isFileKey(other.slice(0, -1)) && !(await store.hasFolder(exact)) && (await store.hasFolder(other));
      found = isOther ? other : exact;
    }
    return found;
  };

  const storedKey = async (key: FileKey): Promise<FileKey> => {
    if (!hasOtherSpelling(key)) return key;
    const end = key.lastIndexOf("/") + 1;
    const prefix = await storedPrefix(key.slice(0, end));
    const [exact, other] = [`${prefix}${key.slice(end)}`, `${prefix}${key.slice(end).normalize("NFD")}`];
    if (!isFileKey(exact)) return key;
    const isOther =
      other !== exact && isFileKey(other) && (await store.head(exact)) === undefined && (await store.head(other)) !== undefined;
    return isOther ? other : exact;
  };

  /** Runs with the key as it is first: most names are stored as they are called. */
  const withStoredKey = async <Result>(key: FileKey, run: (stored: FileKey) => Promise<Result>): Promise<Result> => {
    try {
      return await run(key);
    } catch (error) {
      const stored = error instanceof FileMissing ? await storedKey(key) : key;
      if (stored === key) throw error;
      return run(stored);
    }
  };

  const isShown = async (key: string): Promise<boolean> => {
    const name = nameOf(key);
    const composed = name.normalize("NFC");
    if (name === composed) return true;
    if (name !== composed.normalize("NFD")) return false;
    const exact = key.slice(0, key.length - name.length) + composed;
    return exact.endsWith("/") ? !(await store.hasFolder(exact)) : !isFileKey(exact) || (await store.head(exact)) === undefined;
  };

  return {
    ...store,
    storedKey,
    head: async (key) => {
      const info = await store.head(key);
      if (info !== undefined || !hasOtherSpelling(key)) return info;
      const stored = await storedKey(key);
      const found = stored === key ? undefined : await store.head(stored);
      return found && { ...found, key };
    },
    read: (key, range) => withStoredKey(key, async (stored) => ({ ...(await store.read(stored, range)), key })),
    tags: (key) => withStoredKey(key, (stored) => store.tags(stored)),
    setTags: (key, tags) => withStoredKey(key, (stored) => store.setTags(stored, tags)),
    remove: async (key) => store.remove(await storedKey(key)),
    write: async (key, content, maxBytes) => ({ ...(await store.write(await storedKey(key), content, maxBytes)), key }),
    moveIn: async (key, path) => ({ ...(await store.moveIn(await storedKey(key), path)), key }),
    list: async (prefix, continuationToken) => {
      const stored = hasOtherSpelling(prefix) ? await storedPrefix(prefix) : prefix;
      return spelled(await store.list(stored, continuationToken), stored, prefix, isShown);
    },
    hasFolder: async (prefix) => store.hasFolder(await storedPrefix(prefix)),
  };
}

const hasOtherSpelling = (key: string): boolean => key !== key.normalize("NFD");

/** The last name of a key or prefix, that of a folder with its slash. */
const nameOf = (key: string): string => key.slice(key.lastIndexOf("/", key.length - 2) + 1);

/** A page of the stored prefix as one of the prefix that was asked for. */
async function spelled(page: FilePage, stored: string, prefix: string, isShown: (key: string) => Promise<boolean>): Promise<FilePage> {
  const rename = (key: string): string => prefix + key.slice(stored.length).normalize("NFC");
  const all = [...page.files.map(({ key }) => key), ...page.commonPrefixes];
  const shown = new Set<string>();
  await Promise.all(all.map(async (key) => (await isShown(key)) && shown.add(key)));
  const renamed = (info: FileInfo): FileInfo => ({ ...info, key: rename(info.key) });
  return {
    files: page.files.filter(({ key }) => shown.has(key)).map(renamed),
    commonPrefixes: page.commonPrefixes.filter((key) => shown.has(key)).map(rename),
    leftOut: [...page.leftOut, ...all.filter((key) => !shown.has(key))].map((key) => prefix + key.slice(stored.length)),
    nextContinuationToken: page.nextContinuationToken,
  };
}

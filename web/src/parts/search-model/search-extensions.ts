/**
 * What a view of the results keeps of a search beyond the search itself: a slice of JSON below `key`. Neither the tab's storage
 * nor an address needs the view's code to carry it, so that the code can load with the view.
 */
export interface SearchExtension {
  /** The slice's name in a record and in the tab's storage. */
  readonly key: string;
  /** The slice's name in an address; null: addresses do not carry it. */
  readonly addressKey: string | null;
  /** False: asking the search again drops the slice. */
  readonly survivesRerun: boolean;
}

/** By an extension's `key`. The values are read, and checked, by the view that wrote them. */
export type SearchSlices = Readonly<Record<string, unknown>>;

const extensions: SearchExtension[] = [];

/** Call before anything is restored. Slices that nobody registered are not kept. */
export function registerSearchExtension(extension: SearchExtension): SearchExtension {
  extensions.push(extension);
  return extension;
}

export const sliceOf = ({ slices }: { slices: SearchSlices }, { key }: SearchExtension): unknown => slices[key];

/** The slices with one of them replaced; undefined removes it. */
export const withSlice = (slices: SearchSlices, { key }: SearchExtension, slice: unknown): SearchSlices =>
  pick({ ...slices, [key]: slice }, (extension) => extension.key);

export const slicesAfterRerun = (slices: SearchSlices): SearchSlices =>
  pick(slices, ({ key, survivesRerun }) => (survivesRerun ? key : null));

/** The slices in an object that holds more, such as a stored search. */
export const storedSlices = (stored: Readonly<Record<string, unknown>>): SearchSlices => pick(stored, ({ key }) => key);

/** The slices as an address carries them, by their `addressKey`. */
export const addressSlices = (slices: SearchSlices): Record<string, unknown> =>
  pick(
    slices,
    ({ key, addressKey }) => (addressKey === null ? null : key),
    ({ addressKey, key }) => addressKey ?? key,
  );

/** The slices that an address carries, and what else it says. */
export function slicesInAddress(parts: Readonly<Record<string, unknown>>): { slices: SearchSlices; rest: Record<string, unknown> } {
  const slices = pick(
    parts,
    ({ addressKey }) => addressKey,
    ({ key }) => key,
  );
  const addressKeys = new Set(extensions.map(({ addressKey }) => addressKey));
  return { slices, rest: Object.fromEntries(Object.entries(parts).filter(([key]) => !addressKeys.has(key))) };
}

function pick(
  from: Readonly<Record<string, unknown>>,
  keyOf: (extension: SearchExtension) => string | null,
  nameOf: (extension: SearchExtension) => string = ({ key }) => key,
): Record<string, unknown> {
  return Object.fromEntries(
    extensions.flatMap((extension) => {
      const key = keyOf(extension);
      return key === null || from[key] === undefined ? [] : [[nameOf(extension), from[key]]];
    }),
  );
}

/**
 * State that a view of the results attaches to a search, as a slice of JSON under `key`. The tab's storage and the address carry
 * slices without the view's code, so that code can load with the view.
 */
export interface SearchExtension {
  /** The slice's name in a record and in the tab's storage. */
  readonly key: string;
  /** The slice's name in an address; null to leave it out of addresses. */
  readonly addressKey: string | null;
  /** False when a rerun drops the slice. */
  readonly survivesRerun: boolean;
  /** Between the slice and what an address holds of it, undefined for nothing. Default: the same. */
  readonly inAddress?: { readonly write: (slice: unknown) => unknown; readonly read: (part: unknown) => unknown };
}

/** Slices by the extension's `key`. Each view validates its own. */
export type SearchSlices = Readonly<Record<string, unknown>>;

/** Slices that the last reruns dropped, by their keys, so that they can be shown again. */
export const droppedExtension: SearchExtension = { key: "dropped", addressKey: null, survivesRerun: true };

const extensions: SearchExtension[] = [droppedExtension];

/** Must be called before searches are restored; unregistered slices are dropped. */
export function registerSearchExtension(extension: SearchExtension): SearchExtension {
  extensions.push(extension);
  return extension;
}

export const sliceOf = ({ slices }: { slices: SearchSlices }, { key }: SearchExtension): unknown => slices[key];

/** The slices with one replaced; undefined removes it. */
export const withSlice = (slices: SearchSlices, { key }: SearchExtension, slice: unknown): SearchSlices =>
  pick({ ...slices, [key]: slice }, (extension) => extension.key);

/** Without those that a rerun drops, which are kept aside. */
export function slicesAfterRerun(slices: SearchSlices): SearchSlices {
  const kept = pick(slices, ({ key, survivesRerun }) => (survivesRerun ? key : null));
  const dropped = pick(slices, ({ key, survivesRerun }) => (survivesRerun || isEmptyList(slices[key]) ? null : key));
  return Object.keys(dropped).length === 0 ? kept : { ...kept, [droppedExtension.key]: dropped };
}

const isEmptyList = (slice: unknown): boolean => Array.isArray(slice) && slice.length === 0;

/** The slices in an object with other properties, such as a stored search. */
export const storedSlices = (stored: Readonly<Record<string, unknown>>): SearchSlices => pick(stored, ({ key }) => key);

/** The slices as an address carries them, by their `addressKey`. */
export const addressSlices = (slices: SearchSlices): Record<string, unknown> =>
  pick(
    slices,
    ({ key, addressKey }) => (addressKey === null ? null : key),
    ({ addressKey, key }) => addressKey ?? key,
    (slice, { inAddress }) => (inAddress ? inAddress.write(slice) : slice),
  );

/** Splits the parts of an address into slices and the rest. */
export function slicesInAddress(parts: Readonly<Record<string, unknown>>): { slices: SearchSlices; rest: Record<string, unknown> } {
  const slices = pick(
    parts,
    ({ addressKey }) => addressKey,
    ({ key }) => key,
    (part, { inAddress }) => (inAddress ? inAddress.read(part) : part),
  );
  const addressKeys = new Set(extensions.map(({ addressKey }) => addressKey));
  return { slices, rest: Object.fromEntries(Object.entries(parts).filter(([key]) => !addressKeys.has(key))) };
}

/** The slices of an address, with those of a search that addresses do not hold. */
export const withAddressed = (slices: SearchSlices, addressed: SearchSlices): SearchSlices => ({
  ...pick(
    slices,
    ({ addressKey, key }) => (addressKey === null ? key : null),
    ({ key }) => key,
    (slice) => slice,
  ),
  ...addressed,
});

function pick(
  from: Readonly<Record<string, unknown>>,
  keyOf: (extension: SearchExtension) => string | null,
  nameOf: (extension: SearchExtension) => string = ({ key }) => key,
  convert: (value: unknown, extension: SearchExtension) => unknown = (value) => value,
): Record<string, unknown> {
  return Object.fromEntries(
    extensions.flatMap((extension) => {
      const key = keyOf(extension);
      const value = key === null || from[key] === undefined ? undefined : convert(from[key], extension);
      return value === undefined ? [] : [[nameOf(extension), value]];
    }),
  );
}

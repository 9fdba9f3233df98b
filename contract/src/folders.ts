/** The names between the slashes of a path or prefix, without empty ones. */
export const foldersOf = (path: string): string[] => path.split("/").filter((name) => name !== "");

/** An icon as one path in a box of its size. */
export interface MarkerIcon {
  readonly width: number;
  readonly height: number;
  readonly path: string;
}

/** The icon of this name among those of Font Awesome Free, solid, as in `tower-observation`. Null where there is none. The icons come with the first call. */
export async function findMarkerIcon(name: string): Promise<MarkerIcon | null> {
  const icons: Readonly<Record<string, unknown>> = await import("@fortawesome/free-solid-svg-icons");
  const words = name.replace(/^(fa-solid |fas )?fa-/, "").split("-");
  const found = icons[/^fa[A-Z]/.test(name) ? name : `fa${words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("")}`];
  if (typeof found !== "object" || found === null || !("icon" in found) || !Array.isArray(found.icon)) return null;
  const [width, height, , , path] = found.icon as unknown[];
  if (typeof width !== "number" || typeof height !== "number") return null;
  return { width, height, path: Array.isArray(path) ? path.join(" ") : String(path) };
}

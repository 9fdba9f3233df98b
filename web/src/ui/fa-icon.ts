import { z } from "zod";

/** An icon as one path in a view box of its size. */
const faIcon = z.object({ width: z.number(), height: z.number(), path: z.string() });
export type FaIcon = z.infer<typeof faIcon>;

/**
 * Loads the solid icon of Font Awesome Free with this name: `tower-observation`, `fa-solid fa-tower-observation` or
 * `faTowerObservation`. Null if there is none. Each icon is a separate file, fetched on demand.
 */
export async function findFaIcon(name: string): Promise<FaIcon | null> {
  const file = fileNameOf(name);
  if (file === null) return null;
  const response = await fetch(`${import.meta.env.FAIRWAY_ICONS}/${file}`);
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`The icon ${name} was answered with ${response.status}.`);
  return faIcon.parse(await response.json());
}

function fileNameOf(name: string): string | null {
  const words = name.replace(/^(fa-solid |fas )?fa-/, "").split("-");
  const exported = /^fa[A-Z]/.test(name) ? name : `fa${words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("")}`;
  return /^fa[A-Z0-9][A-Za-z0-9]*$/.test(exported) ? `${exported}.json` : null;
}

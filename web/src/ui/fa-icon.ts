import { z } from "zod";

/** An icon as one path in a box of its size. */
const faIcon = z.object({ width: z.number(), height: z.number(), path: z.string() });
export type FaIcon = z.infer<typeof faIcon>;

/**
 * The icon of Font Awesome Free, solid, with this name: `tower-observation`, `fa-solid fa-tower-observation` or
 * `faTowerObservation`. Null where there is none. Each icon is a file of its own, which comes when it is asked for.
 */
export async function findFaIcon(name: string): Promise<FaIcon | null> {
  const file = fileOf(name);
  if (file === null) return null;
  const answer = await fetch(`${import.meta.env.FAIRWAY_ICONS}/${file}`);
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(`The icon ${name} was answered with ${answer.status}.`);
  return faIcon.parse(await answer.json());
}

function fileOf(name: string): string | null {
  const words = name.replace(/^(fa-solid |fas )?fa-/, "").split("-");
  const exported = /^fa[A-Z]/.test(name) ? name : `fa${words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("")}`;
  return /^fa[A-Z0-9][A-Za-z0-9]*$/.test(exported) ? `${exported}.json` : null;
}

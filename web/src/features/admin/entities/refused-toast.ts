import { toastError } from "#ui/toast/toast.ts";

/** An entity that a change of many has left as it is, and why. */
export interface RefusedEntity {
  readonly id: string;
  readonly errors: readonly { readonly message: string }[];
}

/** More are not named. */
const maxNamed = 5;

/** Says which entities were refused; nothing if none was. */
export function toastRefused(title: string, refused: readonly RefusedEntity[]): void {
  if (refused.length === 0) return;
  const lines = refused.slice(0, maxNamed).map(({ id, errors }) => `${id}: ${errors.map(({ message }) => message).join(" ")}`);
  toastError(title, lines.join("\n"));
}

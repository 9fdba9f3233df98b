import { compareNames } from "@fairway/contract/name-order";
import { type DownloadableTool, toolName } from "@fairway/contract/tools";

/** Sorted by display name. */
export const sortedTools = <Tool extends Pick<DownloadableTool, "display">>(tools: readonly Tool[]): Tool[] =>
  tools.toSorted((one, other) => compareNames(one.display, other.display));

/** The tool that an address names, or the first one if it names none. `tools` are sorted. */
export function addressedTool<Tool extends Pick<DownloadableTool, "display">>(tools: readonly Tool[], name: unknown): Tool | undefined {
  if (typeof name !== "string" || name === "") return tools[0];
  return tools.find(({ display }) => toolName(display) === toolName(name));
}

/** The Font Awesome name of a solid icon; empty for none and for other types. */
export const solidIconName = (icon: DownloadableTool["icon"]): string => (icon?.type === "fa-solid" ? icon.name : "");

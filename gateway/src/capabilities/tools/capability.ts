import { type DownloadableTool, tools as contract } from "@fairway/contract/tools";
import { type Capability, implement } from "#http/capability.ts";
import type { Handlers } from "#http/handlers.ts";
import { ToolFolder } from "./tool-folder.ts";

interface Tools extends Capability {
  /** Sorted by display name. */
  readonly downloadable: readonly DownloadableTool[];
}

/** Programs and libraries that users download. */
export async function openTools({ folder }: { readonly folder: string }): Promise<Tools> {
  const toolFolder = await ToolFolder.open(folder);
  const { tools } = toolFolder;
  const list = tools.map(([name, { display, version, description, files }]) => ({
    display,
    name,
    version,
    description,
    files: files.map((file) => ({ ...file, url: `/tools/${encodeURIComponent(name)}/files/${encodeURIComponent(file.filename)}` })),
  }));
  const handlers: Handlers<typeof contract> = {
    list: () => list,
    guide: async ({ params: { name } }) => ({ contentType: "text/markdown; charset=utf-8", chunks: [await toolFolder.guide(name)] }),
    file: ({ params: { name, filename }, fileHeaders }) => toolFolder.answer(name, filename, fileHeaders),
  };
  return {
    routes: { tools: implement(contract, handlers) },
    downloadable: tools.map(([, { display, icon }]) => ({ display, icon })),
  };
}

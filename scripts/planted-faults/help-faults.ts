import type { Fault } from "./fault.ts";

const toolsPage = "web/src/features/tools/tools-page.test.tsx";
const helpPages = "web/src/features/help/help.test.tsx";

/** Help, tutorials, external pages and tools. */
export const helpFaults: readonly Fault[] = [
  {
    name: "an index of tools may name files in other folders",
    file: "contract/src/tools.ts",
    from: String.raw`/^\w[\w.+-]{0,199}$/`,
    to: String.raw`/^\S{1,200}$/`,
    tests: ["gateway/src/capabilities/tools/tools.test.ts"],
  },
  {
    name: "a tool serves the files of other tools",
    file: "gateway/src/capabilities/tools/tool-folder.ts",
    from: "this.#find(name).files.find(",
    to: "this.tools.flatMap(([, { files }]) => files).find(",
    tests: ["gateway/src/capabilities/tools/tools.test.ts"],
  },
  {
    name: "a tool that does not exist shows the first one",
    file: "web/src/lib/downloadable-tools.ts",
    from: "toolName(display) === toolName(name));",
    to: "toolName(display) === toolName(name)) ?? tools[0];",
    tests: [toolsPage],
  },
  {
    name: "the operator's description replaces those of all tools",
    file: "web/src/features/tools/tools-page.tsx",
    from: "metadata.find(({ display }) => display === tool.display)?.description",
    to: "metadata.at(-1)?.description",
    tests: [toolsPage],
  },
  {
    name: "the examples of a guide leave out the category of a dataset",
    file: "web/src/parts/tool-guides/guide-text.ts",
    from: "dataset ? `${dataset.datasetCategory}/${dataset.datasetId}`",
    to: "dataset ? dataset.datasetId",
    tests: ["web/src/parts/tool-guides/guide-text.test.ts"],
  },
  {
    name: "a disabled external page opens by its address",
    file: "web/src/router.tsx",
    from: ' || (screen === "ExternalView" && isPageDisabled(page, disabledLinks))',
    to: "",
    tests: [helpPages],
  },
  {
    name: "a video starts over after a reload",
    file: "web/src/features/help/video-player.tsx",
    from: "currentTarget.currentTime = positionOf(doc.id, currentTarget.duration);",
    to: "currentTarget.currentTime = 0;",
    tests: [helpPages],
  },
];

import { filesets } from "@fairway/contract/filesets";
import { page } from "vitest/browser";
import { serveFilesets } from "#testing/filesets.ts";
import { press } from "#testing/keyboard.ts";
import { gateway } from "#testing/open-screen.tsx";
import { button, dialog, text, failing, loading, type ScreenState } from "#testing/screen-state.ts";
import { serveFiles } from "#testing/served-files.ts";

const files = {
  "by-storm/2005-12-Katrina.csv": 240_600,
  "maps/2005.png": 90_000,
  "README.txt": 2_300,
  "airports.csv": 205_400,
  "one.bin": 10,
};

function serve(): void {
  serveFilesets(gateway, { "storm-archive": { files }, "public-data": { allowsUploads: true, files: {} } });
  gateway.answer(filesets.tags, { tags: {} });
}

/** A file of the archive, shown. */
const preview = (name: string, content: string, steps: ScreenState["steps"] = []): Pick<ScreenState, "answers" | "open" | "steps"> => ({
  answers: () => {
    serve();
    gateway.answer(filesets.download, content);
    gateway.refuse(filesets.reading, "upstream-failed", "The file store cannot be reached.");
    serveFiles({});
  },
  open: "/filesets?fileset=storm-archive",
  steps: [() => page.getByRole("button", { name, exact: true }).click(), ...steps],
});

const columns = Array.from({ length: 30 }, (_, at) => `id_${at}`);

export const states: readonly ScreenState[] = [
  { name: "filesets", answers: serve, open: "/filesets", shows: text("public-data"), phone: true },
  { name: "filesets-none", open: "/filesets", shows: () => page.getByRole("heading", { level: 1 }) },
  { name: "folder", answers: serve, open: "/filesets?fileset=storm-archive", shows: text("airports.csv"), phone: true },
  {
    name: "folder-tiles",
    answers: serve,
    open: "/filesets?fileset=storm-archive",
    steps: [() => page.getByTitle("Grid").click()],
    shows: () => page.getByRole("gridcell", { name: "airports.csv, 205.4 KB" }),
  },
  {
    name: "folder-with-uploads",
    answers: serve,
    open: "/filesets?fileset=public-data",
    shows: () => page.getByRole("region", { name: "Contents" }),
  },
  loading("folder-loading", "/filesets?fileset=storm-archive", filesets.listing, text("storm-archive"), serve),
  failing("folder-failed", "/filesets?fileset=storm-archive", filesets.listing, serve),
  {
    name: "folder-no-match",
    answers: serve,
    open: "/filesets?fileset=storm-archive&filter=nothing",
    shows: () => page.getByPlaceholder("filter directory"),
  },
  { name: "preview-text", ...preview("README.txt", "Read this.\nThen that.\n"), shows: () => dialog("README.txt") },
  {
    name: "preview-table",
    ...preview(
      "airports.csv",
      `${columns.join()}\n${Array.from({ length: 90 }, (_, row) => columns.map((_, at) => row * at).join()).join("\n")}\n`,
      [() => press("Shift+ArrowRight", button("id_2")), () => button("id_2").click(), () => button("id_2").click()],
    ),
    shows: () => page.getByRole("columnheader", { name: "id_2" }),
    phone: true,
  },
  { name: "preview-of-no-kind", ...preview("one.bin", ""), shows: () => dialog("one.bin") },
];

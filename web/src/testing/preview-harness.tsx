import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { useState } from "react";
import { FilePreview } from "#parts/file-preview/file-preview.tsx";
import type { PreviewFile } from "#parts/file-preview/preview-type.ts";
import { cssVariablesResolver, theme } from "#ui/theme/theme.ts";
import { mount } from "./open-screen.tsx";

/** As in the app: `expectAccessible` switches the theme by it. */
const colorSchemeManager = localStorageColorSchemeManager({ key: "fairway.theme" });

/** A file as a screen passes it to the preview, served by `serveFiles`. */
export const previewFile = (name: string, size: number): PreviewFile => ({
  name,
  size,
  lastModified: "2026-11-12T14:14:07.000Z",
  downloadUrl: `/files/${encodeURIComponent(name)}`,
});

function Harness({ files, isTraversable, onClose }: { files: readonly PreviewFile[]; isTraversable: boolean; onClose: () => void }) {
  const [file, setFile] = useState<PreviewFile | undefined>(files[0]);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} colorSchemeManager={colorSchemeManager}>
      <main style={{ height: 4_000 }}>
        <h1>Files</h1>
      </main>
      {file && (
        <FilePreview
          file={file}
          {...(isTraversable ? { files, onChange: setFile, container: "season-2005" } : {})}
          details={<p>source NOAA</p>}
          onClose={() => {
            onClose();
            setFile(undefined);
          }}
        />
      )}
    </MantineProvider>
  );
}

/** Opens the preview of the first of these files above a page. */
export function openPreview(files: readonly PreviewFile[], { isTraversable = false, onClose = () => {} } = {}): void {
  mount(<Harness files={files} isTraversable={isTraversable} onClose={onClose} />);
}

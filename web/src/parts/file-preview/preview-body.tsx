import { Button } from "@mantine/core";
import type { PreviewKind } from "@fairway/contract/file-types";
import { IconAlertTriangle } from "#ui/icons/alert-triangle.ts";
import { IconDownload } from "#ui/icons/download.ts";
import { IconFile } from "#ui/icons/file.ts";
import { Component, type ComponentType, type ReactNode, Suspense, useState } from "react";
import { loadInPlace } from "#lib/browser/chunk-load.ts";
import { GatewayError, messagesOf } from "#lib/gateway/gateway-error.ts";
import { logFailure } from "#lib/browser/log.ts";
import { sizeText } from "#lib/text/size-text.ts";
import { latePart } from "#ui/late-part.tsx";
import { EmptyState, ErrorState, LoadingRows } from "#ui/states.tsx";
import { TooMuchToShow } from "./too-much-to-show.ts";
import { isPreviewWanted, rememberPreview } from "./wanted-previews.ts";
import { type PreviewFile, previewTypeOf, type ViewProps } from "./preview-type.ts";
import classes from "./file-preview.module.css";

const loadFileViews = () => import("./file-views.ts");

/** The large libraries load only with the preview that needs them. */
const views: Readonly<Partial<Record<PreviewKind, ComponentType<ViewProps>>>> = {
  text: view(async () => (await loadFileViews()).TextFileView),
  image: view(async () => (await loadFileViews()).ImageView),
  json: view(async () => (await loadFileViews()).JsonView),
  notebook: view(async () => (await loadFileViews()).NotebookView),
  video: view(async () => (await loadFileViews()).VideoView),
  markdown: view(async () => (await loadFileViews()).MarkdownView),
  csv: view(async () => (await loadFileViews()).CsvView),
  pdf: view(async () => (await import("./pdf/pdf-view.tsx")).PdfView),
  parquet: view(async () => (await import("./parquet/parquet-view.tsx")).ParquetView),
  geojson: view(async () => (await import("./json/geojson-view.tsx")).GeoJsonView),
  zip: view(async () => (await loadFileViews()).ZipView),
};

function view(load: () => Promise<ComponentType<ViewProps>>): ComponentType<ViewProps> {
  return latePart(() => loadInPlace(async () => ({ default: await load() })));
}

/** A preview, or why there is none. */
export function PreviewBody({ file }: { file: PreviewFile }) {
  const { extension, kind: drawable, isStandard, limit } = previewTypeOf(file.name);
  const View = drawable === null ? undefined : views[drawable];
  const [isWanted, setIsWanted] = useState(isStandard || isPreviewWanted(file, extension));
  const [isTried, setIsTried] = useState(false);
  const download = <DownloadButton file={file} />;
  if (View === undefined || !isWanted) {
    return (
      <EmptyState
        title="Unsupported File"
        icon={<IconFile size={24} stroke={1.5} aria-hidden />}
        action={
          <>
            {download}
            {View !== undefined && (
              <Button
                variant="default"
                onClick={() => {
                  focusDialog();
                  rememberPreview(file, extension);
                  setIsWanted(true);
                }}
              >
                Preview anyway
              </Button>
            )}
          </>
        }
      >
        {`Files ${extension === "" ? "without an extension" : `of type .${extension}`} are not previewed. Download the file and open it in another program.`}
      </EmptyState>
    );
  }
  if (file.size === 0) {
    return (
      <EmptyState title="Empty File" icon={<IconFile size={24} stroke={1.5} aria-hidden />}>
        This file has no content to preview.
      </EmptyState>
    );
  }
  if (file.size >= limit && !isTried) {
    return (
      <EmptyState
        title="Large File"
        icon={<IconAlertTriangle className={classes["warning"]} size={24} stroke={1.5} aria-hidden />}
        action={
          <>
            {download}
            <Button
              variant="default"
              onClick={() => {
                focusDialog();
                setIsTried(true);
              }}
            >
              Try anyway
            </Button>
          </>
        }
      >
        {`This file is ${sizeText(file.size)}. A very large file may crash the browser. Downloading it is recommended, or click to try to open it here.`}
      </EmptyState>
    );
  }
  return <Attempts file={file} View={View} />;
}

function Attempts({ file, View }: { file: PreviewFile; View: ComponentType<ViewProps> }) {
  const [attempt, setAttempt] = useState(0);
  const [failure, setFailure] = useState<{ error: unknown } | null>(null);
  if (failure) {
    return (
      <LoadFailed
        file={file}
        error={failure.error}
        onRetry={() => {
          focusDialog();
          setFailure(null);
          setAttempt(attempt + 1);
        }}
      />
    );
  }
  return (
    <Boundary onFailed={(error) => setFailure({ error })}>
      <Suspense fallback={<LoadingRows label="Loading preview" />}>
        <View key={attempt} file={file} onFailed={(error) => setFailure({ error })} />
      </Suspense>
    </Boundary>
  );
}

/** Called by buttons that are about to go: otherwise, the focus would go with them. */
const focusDialog = (): void => document.activeElement?.closest<HTMLElement>("[data-autofocus]")?.focus();

const previewFailed = "Error loading preview, try again or download the file.";

/** A file that did not arrive is distinguished from one that arrived and cannot be shown. */
function LoadFailed({ file, error, onRetry }: { file: PreviewFile; error: unknown; onRetry: () => void }) {
  if (error instanceof TooMuchToShow) {
    return (
      <ErrorState
        message="This file can't be previewed"
        details={[error.message, "Download the file and open it in another program."]}
        action={<DownloadButton file={file} />}
      />
    );
  }
  const isTransfer = error instanceof GatewayError;
  return (
    <ErrorState
      message={isTransfer ? "Error loading file" : previewFailed}
      details={isTransfer ? [previewFailed, ...messagesOf(error)] : messagesOf(error)}
      onRetry={onRetry}
      action={<DownloadButton file={file} />}
    />
  );
}

const DownloadButton = ({ file }: { file: PreviewFile }) => (
  <Button
    component="a"
    href={file.downloadUrl}
    download={file.name.slice(file.name.lastIndexOf("/") + 1)}
    leftSection={<IconDownload size={16} aria-hidden />}
  >
    Download file
  </Button>
);

/** Content from outside may make a renderer throw; that fails the preview, not the screen. */
class Boundary extends Component<{ children: ReactNode; onFailed: (error: unknown) => void }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    logFailure("A preview failed", error);
    this.props.onFailed(error);
  }

  override render(): ReactNode {
    return this.state.hasFailed ? null : this.props.children;
  }
}

import { type DocEntry, docs } from "@fairway/contract/docs";
import { Modal } from "@mantine/core";
import { IconX } from "#ui/icons/x.ts";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { call, urlOf } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { useDialog } from "#ui/dialog/open-dialogs.ts";
import { ErrorState } from "#ui/states.tsx";
import { useLastShown } from "#ui/use-last-shown.ts";
import { positionOf, rememberPosition } from "./video-positions.ts";
import classes from "./help.module.css";

/** A video over the whole screen. */
export function VideoPlayer({ doc, onClose }: { doc: DocEntry | undefined; onClose: () => void }) {
  const shown = useLastShown(doc ?? null);
  return (
    <Modal.Root {...useDialog({ opened: doc !== undefined, onClose, zIndex: 300 })} fullScreen>
      <Modal.Content aria-label={shown?.name ?? ""} radius={0}>
        {shown && (
          <div className={classes["player"]}>
            <div className={classes["bar"]}>
              <h2>{shown.name}</h2>
              <IconButton label="Close" onClick={onClose} data-autofocus>
                <IconX size={16} aria-hidden />
              </IconButton>
            </div>
            <div className={classes["stage"]}>
              <Video key={shown.id} doc={shown} />
            </div>
          </div>
        )}
      </Modal.Content>
    </Modal.Root>
  );
}

function Video({ doc }: { doc: DocEntry }) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["docs", doc.id, "object"],
    queryFn: ({ signal }) => call(docs.url, { params: { docId: doc.id, type: "object" } }, { signal }),
    // Each opening gets an address with its full time.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [hasFailed, setHasFailed] = useState(false);
  const renewedUrl = useRef<string>(undefined);

  // The address may have expired while the video was paused: one new address is tried for each that has played.
  const onError = async () => {
    if (renewedUrl.current === data?.url) return setHasFailed(true);
    const { data: renewed } = await refetch();
    renewedUrl.current = renewed?.url;
    if (renewed === undefined) setHasFailed(true);
  };
  const retry = () => {
    renewedUrl.current = undefined;
    setHasFailed(false);
    void refetch();
  };

  if (hasFailed || (error !== null && !isFetching)) {
    return <ErrorState message="Error loading video." details={error === null ? [] : messagesOf(error)} onRetry={retry} />;
  }
  if (data === undefined) return null;
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- captions are added if the doc has any
    <video
      src={data.url}
      controls
      autoPlay
      playsInline
      aria-label={doc.name}
      onLoadedMetadata={({ currentTarget }) => {
        currentTarget.currentTime = positionOf(doc.id, currentTarget.duration);
      }}
      onTimeUpdate={({ currentTarget }) => rememberPosition(doc.id, currentTarget.currentTime)}
      onPlaying={() => {
        renewedUrl.current = undefined;
      }}
      onError={() => void onError()}
    >
      {doc.hasCaptions && <track kind="captions" src={urlOf(docs.captions, { docId: doc.id })} label="Captions" default />}
    </video>
  );
}

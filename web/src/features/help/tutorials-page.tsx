import { type DocEntry, docs, videoCategory } from "@fairway/contract/docs";
import { IconPlayerPlayFilled } from "#ui/icons/player-play-filled-filled.ts";
import { IconVideo } from "#ui/icons/video.ts";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { call } from "#lib/gateway/call.ts";
import { docsQuery } from "#parts/help/docs-query.ts";
import { PageHeader } from "#ui/page-header.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { VideoPlayer } from "./video-player.tsx";
import classes from "./help.module.css";

/** The tutorial videos. The address names the one that plays, so that a reload continues it. */
export function TutorialsPage() {
  const query = useQuery(docsQuery);
  const { video }: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const videos = (query.data ?? []).filter(({ category }) => category === videoCategory);
  const playing = videos.find(({ id }) => id === video);
  return (
    <>
      <PageHeader title="Tutorial Videos" />
      <QueryState
        query={query}
        loading={{ label: "Loading tutorial videos", rowHeight: 64 }}
        failed="Error loading tutorial videos."
        empty={{ text: "no tutorial videos available" }}
        isEmpty={() => videos.length === 0}
      >
        {() => (
          <ul className={classes["cards"]} aria-label="Tutorial videos">
            {videos.map((doc) => (
              <li key={doc.id}>
                <Card doc={doc} onOpen={() => void navigate({ to: "/tutorials", search: { video: doc.id } })} />
              </li>
            ))}
          </ul>
        )}
      </QueryState>
      <VideoPlayer doc={playing} onClose={() => void navigate({ to: "/tutorials", search: {}, replace: true })} />
    </>
  );
}

function Card({ doc, onOpen }: { doc: DocEntry; onOpen: () => void }) {
  return (
    <button type="button" className={classes["card"]} onClick={onOpen}>
      <span className={classes["picture"]}>
        {doc.hasPreview ? <Preview docId={doc.id} /> : <IconVideo size={40} stroke={1.25} aria-hidden />}
        <span className={classes["play"]}>
          <IconPlayerPlayFilled size={20} aria-hidden />
        </span>
      </span>
      <span className={classes["name"]}>{doc.name}</span>
      {doc.description !== "" && <span className={classes["description"]}>{doc.description}</span>}
    </button>
  );
}

function Preview({ docId }: { docId: string }) {
  const { data, isError } = useQuery({
    queryKey: ["docs", docId, "preview"],
    queryFn: ({ signal }) => call(docs.url, { params: { docId, type: "preview" } }, { signal }),
    // The address is valid for longer.
    staleTime: 600_000,
  });
  if (isError) return <IconVideo size={40} stroke={1.25} aria-hidden />;
  return data && <img src={data.url} alt="" loading="lazy" />;
}

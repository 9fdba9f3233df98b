import { live } from "@fairway/contract/live";
import { type Capability, implement } from "#http/capability.ts";
import type { Handlers } from "#http/handlers.ts";
import type { LiveAudience, LiveChanges } from "#database/live-changes.ts";
import { LiveStreams, type LiveStreamsParts } from "./live-streams.ts";

interface Parts extends LiveStreamsParts {
  readonly liveChanges: Pick<LiveChanges, "subscribe">;
  /** Calls the listener when other notices may be shown than before; at every gateway. */
  readonly onNoticesChanged: (listener: () => void) => void;
  /** Calls the listener with those who may find other datasets, or other rows, than before; at every gateway. */
  readonly onDatasetsChanged: (listener: (audiences: readonly LiveAudience[]) => void) => void;
}

/** Streams that report changes to open tabs. Decision 0510. */
export function openLive({ liveChanges, onNoticesChanged, onDatasetsChanged, ...parts }: Parts): Capability {
  const streams = new LiveStreams(parts);
  liveChanges.subscribe((changes) => streams.publish(changes));
  onNoticesChanged(() => streams.publish([{ topic: "notices", audience: "everyone" }]));
  onDatasetsChanged((audiences) => streams.publish(audiences.map((audience) => ({ topic: "datasets", audience }))));
  const handlers: Handlers<typeof live> = {
    stream: async ({ user, tokenEndsMs, fileHeaders }) => ({
      contentType: "text/event-stream",
      // nginx would collect the events otherwise.
      headers: { "x-accel-buffering": "no" },
      // Nothing ends a stream that nobody reads.
      chunks: fileHeaders.isHead ? [] : streams.open(user, tokenEndsMs).body,
    }),
  };
  return {
    routes: { live: implement(live, handlers) },
    gauges: [{ name: "fairway_live_streams_open", help: "Streams of live changes to browsers.", read: () => streams.size }],
    // Before the server waits for running calls, which these are.
    install: (app) =>
      app.addHook("preClose", (done) => {
        streams.stop();
        done();
      }),
    close: () => streams.close(),
  };
}

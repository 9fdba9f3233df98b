import { Component, type ComponentType, type FunctionComponent, type ReactNode, Suspense } from "react";
import { loadInPlace } from "#lib/browser/chunk-load.ts";
import { onReconnected } from "#lib/gateway/connection.ts";
import { isSavingData } from "#lib/gateway/data-saver.ts";
import { logFailure } from "#lib/browser/log.ts";
import { whenIdle } from "#lib/pacing/when-idle.ts";
import classes from "./ui.module.css";
import { latePart } from "./late-part.tsx";
import { loadErrorText } from "./load-error-text.ts";

const preloadQueue: (() => Promise<void>)[] = [];
/** `waiting`: the first screen is not shown yet. */
let preloadState: "waiting" | "running" | "done" = "waiting";

interface Options<P> {
  /** Too large to preload. */
  isLarge?: boolean;
  /** Stands in its place while it loads, with its props. */
  Loading?: ComponentType<P>;
}

type Island<P> = FunctionComponent<P> & {
  /** Starts loading before the part is rendered. Never rejects: the part reports a failure where it is rendered. */
  preload: () => Promise<void>;
};

/**
 * A part of the application that is loaded on its first use, because of the libraries that it carries or because few visits need
 * it. Renders `Loading` or nothing while it loads. If loading fails, a card reports it, the page around it keeps working, and
 * loading is retried on Retry, on the next use and when the network is back. Decision 0170.
 */
export function island<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  { isLarge = false, Loading }: Options<P> = {},
): Island<P> {
  const Part = latePart(() => loadInPlace(load));
  if (!isLarge) enqueuePreload(Part.preload);
  function Island(props: P) {
    return (
      <PartBoundary values={valuesOf(props)} onRetry={() => void Part.preload()}>
        <Suspense fallback={Loading && <Loading {...props} />}>
          <Part {...props} />
        </Suspense>
      </PartBoundary>
    );
  }
  return Object.assign(Island, { preload: Part.preload });
}

/**
 * Starts preloading small parts one by one while the browser is idle. A dialog that reports a lost connection could not be
 * loaded then.
 */
export function preloadParts(): void {
  if (preloadState === "waiting" && !isSavingData()) preloadNext();
}

function preloadNext(): void {
  preloadState = "running";
  whenIdle(() => {
    const preload = preloadQueue.shift();
    if (preload) void preload().then(preloadNext);
    else preloadState = "done";
  });
}

function enqueuePreload(preload: () => Promise<void>): void {
  preloadQueue.push(preload);
  if (preloadState === "done") preloadNext();
}

/** The props of a part without callbacks and children, which change on every render. A change of the others means a new use. */
const valuesOf = (props: object): readonly unknown[] =>
  Object.entries(props).flatMap(([name, value]) => (name === "children" || typeof value === "function" ? [] : [value]));

const sameValues = (previous: readonly unknown[], current: readonly unknown[]): boolean =>
  previous.length === current.length && previous.every((value, index) => Object.is(value, current[index]));

interface BoundaryProps {
  children: ReactNode;
  values: readonly unknown[];
  onRetry: () => void;
}

class PartBoundary extends Component<BoundaryProps, { error: unknown }> {
  override state = { error: null };
  private stopListening = () => {};

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override componentDidMount(): void {
    this.stopListening = onReconnected(this.retry);
  }

  override componentDidUpdate(previous: BoundaryProps): void {
    if (!sameValues(previous.values, this.props.values)) this.retry();
  }

  override componentWillUnmount(): void {
    this.stopListening();
  }

  override componentDidCatch(error: unknown): void {
    logFailure("A part of the application failed", error);
  }

  retry = (): void => {
    if (this.state.error === null) return;
    this.props.onRetry();
    this.setState({ error: null });
  };

  override render(): ReactNode {
    const { error } = this.state;
    return error === null ? this.props.children : <FailedPart error={error} onRetry={this.retry} />;
  }
}

function FailedPart({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { text, isOutdated } = loadErrorText(error);
  return (
    <div role="alert" className={classes["card"]}>
      <p>{text}</p>
      {!isOutdated && (
        <button type="button" onClick={onRetry}>
          Retry
        </button>
      )}
      <button type="button" onClick={() => location.reload()}>
        Reload
      </button>
    </div>
  );
}

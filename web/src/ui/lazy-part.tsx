import { Component, type ComponentType, type ReactNode, Suspense } from "react";
import { loadInPlace } from "#lib/chunk-load.ts";
import { onReconnected } from "#lib/connection.ts";
import { isSavingData } from "#lib/data-saver.ts";
import { logFailure } from "#lib/log.ts";
import { whenIdle } from "#lib/when-idle.ts";
import { latePart } from "./late-part.tsx";
import classes from "./lazy-part.module.css";
import { loadErrorText } from "./load-error-text.ts";

const ahead: (() => Promise<void>)[] = [];
/** `waiting`: until the first screen is there. */
let loadingAhead: "waiting" | "running" | "done" = "waiting";

interface Options {
  /** Too large to be loaded before it is needed. */
  isLarge?: boolean;
}

/**
 * A dialog or another part that comes later. While it loads there is nothing; if it cannot be loaded, a card says so, the
 * page around it goes on, and it is tried again on Retry, on its next use, and when the network is back. Decision 0170.
 */
export function lazyPart<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  { isLarge = false }: Options = {},
): ComponentType<P> {
  const Part = latePart(() => loadInPlace(load));
  if (!isLarge) loadAhead(Part.preload);
  return function LazyPart(props: P) {
    return (
      <PartBoundary given={valuesOf(props)} onRetry={() => void Part.preload()}>
        <Suspense>
          <Part {...props} />
        </Suspense>
      </PartBoundary>
    );
  };
}

/**
 * Loads small parts while the browser is idle, from now on and one after the other: a dialog that reports a broken network
 * cannot come over it.
 */
export function loadPartsAhead(): void {
  if (loadingAhead === "waiting" && !isSavingData()) loadNext();
}

function loadNext(): void {
  loadingAhead = "running";
  whenIdle(() => {
    const preload = ahead.shift();
    if (preload) void preload().then(loadNext);
    else loadingAhead = "done";
  });
}

function loadAhead(preload: () => Promise<void>): void {
  ahead.push(preload);
  if (loadingAhead === "done") loadNext();
}

/** What a part is given, without its callbacks: these are new with every drawing and say nothing about a next use. */
const valuesOf = (props: object): readonly unknown[] => Object.values(props).filter((value) => typeof value !== "function");

const sameValues = (before: readonly unknown[], after: readonly unknown[]): boolean =>
  before.length === after.length && before.every((value, at) => Object.is(value, after[at]));

interface BoundaryProps {
  children: ReactNode;
  given: readonly unknown[];
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

  override componentDidUpdate(before: BoundaryProps): void {
    if (!sameValues(before.given, this.props.given)) this.retry();
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

import { Component, type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { loadInPlace } from "#lib/chunk-load.ts";
import { logFailure } from "#lib/log.ts";
import classes from "./lazy-part.module.css";

/**
 * A dialog or another part that comes with its first use. While it loads there is nothing; when it cannot be loaded,
 * a card says so and the page around it goes on.
 */
export function lazyPart<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  const Part = lazy(() => loadInPlace(load));
  return function LazyPart(props: P) {
    return (
      <PartBoundary>
        <Suspense>
          <Part {...props} />
        </Suspense>
      </PartBoundary>
    );
  };
}

class PartBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(error: unknown): void {
    logFailure("A part of the application failed", error);
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <div role="alert" className={classes["card"]}>
        <p>This part of the application could not be loaded. Reload the page to try again.</p>
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    );
  }
}

import { type ComponentType, type FunctionComponent, use } from "react";

type PreloadedComponent<P> = FunctionComponent<P> & {
  /** Starts loading, also after a failure. Never rejects: a failure is thrown where the component is rendered. */
  preload: () => Promise<void>;
};

/** The reset functions of all parts that failed to load. */
const failedParts = new Set<() => void>();

/** Makes every part that failed to load retry when it is rendered next. */
export function resetFailedParts(): void {
  for (const reset of failedParts) reset();
}

/**
 * A lazily loaded component. Suspends until it is loaded. Unlike React's `lazy`, it can be loaded again after a failure: on
 * `preload`, or after `resetFailedParts`.
 */
export function latePart<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): PreloadedComponent<P> {
  let loading: Promise<ComponentType<P>> | null = null;
  let failure: unknown;

  function reset(): void {
    loading = null;
    failedParts.delete(reset);
  }

  function start(): Promise<ComponentType<P>> {
    if (loading) return loading;
    const attempt = load().then((part) => part.default);
    attempt.then(
      // Read by `use`, which otherwise suspends once even for a promise that is already settled.
      (value) => void Object.assign(attempt, { status: "fulfilled", value }),
      (error: unknown) => {
        failure = error;
        failedParts.add(reset);
      },
    );
    loading = attempt;
    return attempt;
  }

  function LatePart(props: P) {
    if (failedParts.has(reset)) throw failure;
    // Called in every render: React warns of a component that suspended by `use` and then renders without it.
    const Part = use(start());
    return <Part {...props} />;
  }

  const preload = async () => {
    if (failedParts.has(reset)) reset();
    await start().catch(() => {
      // Thrown when the component is rendered.
    });
  };
  return Object.assign(LatePart, { preload });
}

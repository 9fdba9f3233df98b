import { type ComponentType, type FunctionComponent, use } from "react";

type PreloadedComponent<P> = FunctionComponent<P> & {
  /** Begins to load, again if it failed before. Never rejects: a failure is thrown where the component is shown. */
  preload: () => Promise<void>;
};

const failed = new Set<() => void>();

/** Lets every part that failed to load be loaded again when it is shown next. */
export function forgetFailedParts(): void {
  for (const forget of failed) forget();
}

/**
 * A component whose code comes later. Suspends until then. Unlike the component of React's `lazy`, it can be loaded again
 * after a failure: on `preload`, or once `forgetFailedParts` was called.
 */
export function latePart<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): PreloadedComponent<P> {
  let loading: Promise<ComponentType<P>> | null = null;
  let loaded: ComponentType<P> | null = null;
  let failure: unknown;

  function forget(): void {
    loading = null;
    failed.delete(forget);
  }

  function begin(): Promise<ComponentType<P>> {
    if (loading) return loading;
    const attempt = load().then((part) => part.default);
    attempt.then(
      (part) => {
        loaded = part;
      },
      (error: unknown) => {
        failure = error;
        failed.add(forget);
      },
    );
    loading = attempt;
    return attempt;
  }

  // `use` suspends once even for a settled promise: what is known already is shown at once.
  function LatePart(props: P) {
    if (failed.has(forget)) throw failure;
    const Part = loaded ?? use(begin());
    return <Part {...props} />;
  }

  const preload = async () => {
    if (failed.has(forget)) forget();
    await begin().catch(() => {
      // Shown by the component itself.
    });
  };
  return Object.assign(LatePart, { preload });
}

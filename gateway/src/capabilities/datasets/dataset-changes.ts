import type { LiveAudience } from "#database/live-changes.ts";
import type { EntityChanges } from "#entities/entity-changes.ts";
import { externalDatasets, internalDatasets } from "#entities/entity-types.ts";
import type { OwnDatasets } from "#own-data/own-datasets.ts";

interface Parts {
  readonly entityChanges: Pick<EntityChanges, "subscribe">;
  readonly ownDatasets?: Pick<OwnDatasets, "onChanged"> | undefined;
}

type Listener = (audiences: readonly LiveAudience[]) => void;

/** An import changes many datasets at once. */
const coalesceMs = 250;

/** Tells who may find other datasets, or other rows of them, than before. */
export class DatasetChanges {
  readonly #listeners: Listener[] = [];
  #coalescing: NodeJS.Timeout | undefined;

  constructor({ entityChanges, ownDatasets }: Parts) {
    const types = new Set<string | undefined>([internalDatasets.name, externalDatasets.name]);
    entityChanges.subscribe((type) => {
      // Streams say themselves that anything may have changed.
      if (types.has(type)) this.#coalescing ??= setTimeout(() => this.#onCoalesced(), coalesceMs).unref();
    });
    ownDatasets?.onChanged((audiences) => this.#notify(audiences));
  }

  subscribe(listener: Listener): void {
    this.#listeners.push(listener);
  }

  close(): void {
    clearTimeout(this.#coalescing);
  }

  #onCoalesced(): void {
    this.#coalescing = undefined;
    // Whoever may know of a dataset depends on its roles before and after the change. It is not named, so that nobody learns of it.
    this.#notify(["everyone"]);
  }

  #notify(audiences: readonly LiveAudience[]): void {
    for (const listener of this.#listeners) listener(audiences);
  }
}

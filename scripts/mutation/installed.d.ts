// Minimal types of a package that is installed on demand, so that types and lint work without it.

declare module "@stryker-mutator/core" {
  interface Mutant {
    readonly status: string;
    readonly mutatorName: string;
    readonly replacement?: string;
    readonly location: { readonly start: { readonly line: number } };
  }
  export class Stryker {
    constructor(options: object);
    runMutationTest(): Promise<readonly Mutant[]>;
  }
}

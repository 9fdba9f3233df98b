/** The portal cannot start, or cannot go on, for a reason the operator can act on. The message is the one sentence they read. */
export class StartFailure extends Error {
  override readonly name = "StartFailure";
}

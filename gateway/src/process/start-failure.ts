/** The portal cannot start or continue for a reason that the operator can fix. The message is a sentence for the operator. */
export class StartFailure extends Error {
  override readonly name = "StartFailure";
}

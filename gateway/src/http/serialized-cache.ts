const cachedAnswers = new WeakSet<object>();

/**
 * Declares that an answer never changes again and will be returned many times: it is parsed and serialized once.
 * For what a capability caches, not for what it makes for one call.
 */
export function cacheSerialized<Answer extends object>(answer: Answer): Answer {
  cachedAnswers.add(answer);
  return answer;
}

export function isCachedSerialized(answer: unknown): answer is object {
  return typeof answer === "object" && answer !== null && cachedAnswers.has(answer);
}

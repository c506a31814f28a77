/** Settings of one call. */
export interface CallOptions {
  /** Ends the call, with the signal's reason, when it aborts. */
  signal?: AbortSignal;
  /** Milliseconds until an attempt is given up; absent: the client's. */
  timeoutMs?: number;
  /** Does a write once however often it is sent; absent: a new one for each call. */
  idempotencyKey?: string;
}

/** An action's answer names the action twice, as clients of the specification expect. */
export type ActionAnswer<Name extends string, Answer> = Answer & { actionType: Name; name: Name };

/**
 * Sends a call and returns its answer.
 *
 * @param route - Method and path, then marks: whether it is a `write`, always or with `execute`; `once` where what it is given is good
 *   for one use; `content` where the answer is no JSON: `POST /trade-token execute`.
 */
export type Send = (route: string, input?: object, options?: CallOptions) => Promise<unknown>;

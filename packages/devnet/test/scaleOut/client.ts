import { setTimeout as sleep } from 'node:timers/promises';

export interface Answer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- the shape differs from call to call and is what the test asserts
  body: any;
  /** Requests that the caller's allowance still has. */
  remaining: number;
}

export interface Ask {
  bearer?: string | undefined;
  /** Idempotency-Key. */
  key?: string;
  /** Which API is asked first. */
  first?: number;
  /** Where it seems to come from. */
  address?: string;
}

/** What became of a write that was sent with one key until it was answered. */
export type Outcome =
  | { kind: 'accepted'; body: Answer['body'] }
  /** Cut off in the middle, so that nobody will do it a second time. */
  | { kind: 'unknown' };

const pauseMs = 50;
/** A call that was cut off keeps its key for a minute, in which others with it wait; so long nobody here waits. */
const cutOffMs = 5_000;

/** A client as it should be: what an API does not answer it asks the next one, a write with the same key. */
export const createClient = (apis: readonly string[]) => {
  let turn = 0;
  let inFlight = 0;
  const once = async (api: number, path: string, body: object, ask: Ask, signal?: AbortSignal): Promise<Answer> => {
    const response = await fetch(`${apis[api % apis.length]}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(ask.bearer === undefined ? {} : { authorization: `Bearer ${ask.bearer}` }),
        ...(ask.key === undefined ? {} : { 'idempotency-key': ask.key }),
        ...(ask.address === undefined ? {} : { 'x-forwarded-for': ask.address }),
      },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
    const remaining = Number(/;r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]);
    return { status: response.status, body: await response.json(), remaining };
  };

  return {
    /** How many APIs it knows. */
    apis: apis.length,

    /** Writes that are not answered yet. */
    inFlight: () => inFlight,

    /** One request to one API. */
    once,

    /** A read, or a write that may be done twice: asked until it is answered with success. */
    async read(path: string, body: object, ask: Ask = {}): Promise<Answer['body']> {
      for (let api = ask.first ?? turn++; ; api++) {
        const answer = await once(api, path, body, ask).catch(() => null);
        if (answer?.status === 200) return answer.body;
        if (answer !== null && answer.status !== 503) throw new Error(`${path}: ${JSON.stringify(answer)}`);
        await sleep(pauseMs);
      }
    },

    /**
     * @param canBeCut - An API may be killed: a call that was cut off is not asked for ever.
     * @throws When it is refused for another reason than that it cannot be done now.
     */
    async write(path: string, body: object, ask: Ask & { key: string }, canBeCut: boolean): Promise<Outcome> {
      let wasCut = false;
      inFlight += 1;
      using _ = { [Symbol.dispose]: () => void (inFlight -= 1) };
      for (let api = ask.first ?? turn++; ; api++) {
        const signal = wasCut && canBeCut ? AbortSignal.timeout(cutOffMs) : undefined;
        try {
          const { status, body: said } = await once(api, path, body, ask, signal);
          if (status === 200) return { kind: 'accepted', body: said };
          if (canBeCut && /^(IDEMPOTENCY_(IN_PROGRESS|OUTCOME_UNKNOWN|ANSWER_GONE)|OUTCOME_UNKNOWN)$/.test(said.code))
            return { kind: 'unknown' };
          if (status !== 503) throw new RefusedError(`${path}: ${status} ${JSON.stringify(said)}`);
        } catch (error) {
          if (error instanceof RefusedError) throw error;
          if (signal?.aborted) return { kind: 'unknown' };
          wasCut = true;
        }
        await sleep(pauseMs);
      }
    },
  };
};

export type Client = ReturnType<typeof createClient>;

class RefusedError extends Error {}

import { MintageError } from '@mintage/protocol';
import { Subscription } from '@mintage/protocol/operations';
import { z } from 'zod';
import type { Caller } from '../../accounts/caller.ts';
import { filterOf } from '../../events/streamFilter.ts';
import type { Context } from '../../handlers/context.ts';
import { MemoryAllowances } from '../../limits/allowance.ts';
import { parseInput } from '../../wire/parseInput.ts';
import { parseJson } from '../../wire/parseJson.ts';
import { requireReadable } from '../../wire/readableText.ts';
import type { Client } from './client.ts';
import type { Hub } from './hub.ts';

/** Messages that a client may send. Source: wire contract, section 9.1. */
const Id = z.string().min(1).max(64);
const Auth = z.object({ bearer: z.string().max(8_192).optional() });
const Subscribe = z.object({ id: Id, subscription: Subscription });
const Unsubscribe = z.object({ id: Id });

/** Counted second by second, so that one in which this process stands still counts once. */
const authWithinSeconds = 5;
const mostSubscriptions = 100;
/** Most messages of one connection in any minute. */
const messagesPerMinute = 600;
const mostRefused = 100;

/**
 * The protocol with one WebSocket client: authentication first, then requests. Messages are answered one after another.
 */
export class Conversation {
  readonly #context: Pick<Context, 'auth' | 'chains' | 'chainNews' | 'db' | 'log'>;
  readonly #hub: Hub;
  readonly #client: Client;
  readonly #allowance = new MemoryAllowances();
  readonly #authTimer: NodeJS.Timeout;
  #refused = 0;
  #work: Promise<void> = Promise.resolve();
  /** Messages that were heard and are not answered yet. */
  #unanswered = 0;
  /** The caller; undefined before the auth message, null when anonymous. */
  #caller: Caller | null | undefined;
  #bearer: string | undefined;

  constructor(context: Pick<Context, 'auth' | 'chains' | 'chainNews' | 'db' | 'log'>, hub: Hub, client: Client) {
    this.#context = context;
    this.#hub = hub;
    this.#client = client;
    let silentSeconds = 0;
    this.#authTimer = setInterval(() => {
      if (this.#unanswered > 0) return; // now the client waits for us
      silentSeconds += 1;
      if (silentSeconds < authWithinSeconds) return;
      clearInterval(this.#authTimer);
      client.error('AUTH_TIMEOUT', 'The first message must be {"op":"auth"}, within 5 seconds.');
      client.end('authTimeout');
    }, 1_000);
  }

  hear(text: string): void {
    if (!this.#allowance.take('', messagesPerMinute).admitted) {
      this.#refused += 1;
      this.#client.error('RATE_LIMIT_EXCEEDED', `More than ${messagesPerMinute} messages in a minute.`);
      if (this.#refused >= mostRefused) this.#client.end('tooMany');
      return;
    }
    this.#unanswered += 1;
    this.#work = this.#work
      .then(() => this.#answer(text))
      .finally(() => {
        this.#unanswered -= 1;
      });
  }

  hangUp(): void {
    clearInterval(this.#authTimer);
  }

  /** Closes the connection when the credential no longer proves the same caller. Call it every second. */
  async checkAuthority(): Promise<void> {
    if (this.#bearer === undefined || this.#client.isEnded) return;
    const caller = await this.#context.auth.verify(`Bearer ${this.#bearer}`);
    const isSame = caller?.userId === this.#caller?.userId && caller?.wallets.join() === this.#caller?.wallets.join();
    if (caller !== null && isSame) return;
    this.#client.error('AUTHENTICATION_FAILED', 'The credential was revoked, has expired, or its wallets changed.');
    this.#client.end('authEnded');
  }

  async #answer(text: string): Promise<void> {
    if (this.#client.isEnded) return;
    let id: string | undefined;
    try {
      const message = parseJson(text);
      // Only text is checked: the schema would read the length of an object before rejecting its type.
      if (typeof message.id === 'string') id = Id.safeParse(message.id).data;
      refusing('INVALID_MESSAGE', () => requireReadable(message));
      await this.#do(message);
    } catch (error) {
      const { code, message } = this.#refusal(error);
      this.#client.error(code, message, id);
    }
  }

  async #do(message: Record<string, unknown>): Promise<void> {
    const { op } = message;
    if (typeof op !== 'string')
      throw new Refusal('INVALID_MESSAGE', 'op is required: `auth`, `subscribe` or `unsubscribe`');
    if (op === 'auth') return this.#authenticate(parse(Auth, message));
    if (this.#caller === undefined) throw new Refusal('AUTH_REQUIRED', 'The first message must be {"op":"auth"}.');
    switch (op) {
      case 'subscribe': {
        const { id } = parse(z.object({ id: Id }), message);
        return this.#subscribe(id, parse(Subscribe, message, 'INVALID_SUBSCRIPTION').subscription);
      }
      case 'unsubscribe': {
        const { id } = parse(Unsubscribe, message);
        if (!this.#hub.unsubscribe(this.#client, id))
          throw new Refusal('INVALID_MESSAGE', `There is no subscription ${id}.`);
        return this.#client.send({ type: 'unsubscribed', id });
      }
      default:
        throw new Refusal(
          'UNSUPPORTED_OP',
          `${op.slice(0, 32)} is not offered here: \`auth\`, \`subscribe\`, \`unsubscribe\`.`,
        );
    }
  }

  async #authenticate({ bearer }: z.output<typeof Auth>): Promise<void> {
    const caller = bearer === undefined ? null : await this.#verify(bearer);
    if (caller === undefined) return;
    if (this.#caller && this.#caller.userId !== caller?.userId) {
      throw new Refusal('AUTHENTICATION_FAILED', 'This connection belongs to another user; open one of your own.');
    }
    clearInterval(this.#authTimer);
    this.#caller = caller;
    this.#bearer = bearer;
    this.#client.send({
      type: 'authenticated',
      authMethod: caller?.method ?? 'anonymous',
      ...(caller === null ? {} : { userId: caller.userId }),
    });
  }

  /** The caller; undefined when the credential is invalid, after which the connection is closed with an error. */
  async #verify(bearer: string): Promise<Caller | undefined> {
    try {
      const caller = await this.#context.auth.verify(`Bearer ${bearer}`);
      if (caller !== null) return caller;
      this.#client.error('AUTHENTICATION_FAILED', 'The credential is not valid, expired or revoked.');
      this.#client.end('authFailed');
    } catch (err) {
      this.#context.log.error({ err }, 'A credential could not be checked.');
      this.#client.error('INTERNAL_ERROR', 'The credential cannot be checked now. Try again.');
      this.#client.end('unavailable');
    }
    return undefined;
  }

  async #subscribe(id: string, subscription: Subscription): Promise<void> {
    const { subscriptions } = this.#client;
    if (subscriptions.has(id)) throw new Refusal('DUPLICATE_ID', `There is a subscription ${id} already.`);
    if (subscriptions.size >= mostSubscriptions) {
      throw new Refusal('TOO_MANY_SUBSCRIPTIONS', `A connection has at most ${mostSubscriptions} subscriptions.`);
    }
    const filter = await filterOf(this.#context, subscription, this.#caller ?? null, 'subscription.');
    if (!this.#client.isEnded) await this.#hub.subscribe(this.#client, { ...subscription, id, filter });
  }

  #refusal(error: unknown): { code: string; message: string } {
    if (error instanceof Refusal) return error;
    if (error instanceof MintageError) {
      const { message } = error;
      switch (error.code) {
        case 'INVALID_JSON':
        case 'PAYLOAD_TOO_LARGE':
          return { code: 'INVALID_MESSAGE', message };
        case 'INVALID_PARAMETERS':
          return { code: message.startsWith('subscription.') ? 'INVALID_SUBSCRIPTION' : 'INVALID_MESSAGE', message };
        case 'TOKEN_NOT_FOUND':
          return { code: 'INVALID_SUBSCRIPTION', message };
        case 'AUTHENTICATION_FAILED':
          return { code: this.#caller ? 'AUTHENTICATION_FAILED' : 'AUTH_REQUIRED', message };
        case 'SCOPE_MISSING':
          return { code: 'AUTHENTICATION_FAILED', message };
        default: // no other is an answer to a message
      }
    }
    this.#context.log.error({ err: error }, 'A message of a stream could not be answered.');
    return { code: 'INTERNAL_ERROR', message: 'Something went wrong on our side. Try again.' };
  }
}

/** An error that is sent as an `error` message. */
class Refusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const parse = <Schema extends z.ZodType>(schema: Schema, body: unknown, code = 'INVALID_MESSAGE'): z.output<Schema> =>
  refusing(code, () => parseInput(schema, body));

const refusing = <T>(code: string, check: () => T): T => {
  try {
    return check();
  } catch (error) {
    throw new Refusal(code, (error as Error).message);
  }
};

import { MintageError, type Operation } from '@mintage/protocol';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { type Allowances, MemoryAllowances, type Taken } from './allowance.ts';
import { clientAddress } from './clientAddress.ts';
import { RedisAllowances } from './redisAllowances.ts';

/** Divisor of the allowance while Redis is unavailable: each process then counts by itself, stricter, never more. */
const aloneDivisor = 10;

/** How many users one address may be, and how many times as much a premium user may say. */
const manyTimes = 10;

/** What a request counts as: what its operation says, or a message to the tool server. */
export type LimitKind = Operation['limit'] | 'tool' | NonNullable<Operation['social']>;

/** Whose allowance it is. */
export interface Holder {
  userId: string;
  /** Whether the user has the larger request allowance. */
  premium: boolean;
}

export interface Limited extends Taken {
  /** Name of the allowance, and its requests in any minute. */
  policy: string;
  perMinute: number;
}

export interface Limiter {
  /**
   * Counts a request.
   *
   * @param kind - Undefined: a read.
   * @param address - Client address; the key of the allowance for anonymous requests and for sign-ins.
   */
  take(kind: LimitKind, caller: Holder | null, address: string): Promise<Limited> | Limited;
  stop(): void;
}

const toolTiers = {
  anonymous: 'toolAnonymous',
  authenticated: 'toolAuthenticated',
  premium: 'toolPremium',
} as const;

/**
 * @param ofWorkers - Allowances that the workers of one primary share; absent: this process has none to share them with.
 * @param redisAnswersWithinMs - A slower Redis counts as unavailable, milliseconds. It must be longer than this process
 * may be too busy to read the reply: a request counted in Redis and then counted here again lets in more than one
 * allowance.
 */
export const createLimiter = (
  config: Config,
  log: Logger,
  ofWorkers?: Allowances,
  redisAnswersWithinMs = 1_000,
): Limiter => {
  const limits = config.rateLimits;
  const local = new MemoryAllowances();
  const onChange = (reason: Error | null): void => {
    if (reason === null) log.info('Redis answers again.');
    else log.warn({ reason: reason.message }, 'Redis is away: every process limits by itself, strictly.');
  };
  const redis =
    config.redisUrl === null
      ? null
      : new RedisAllowances(config.redisUrl, config.platformSlug, redisAnswersWithinMs, onChange);
  const shared: Allowances | null = redis ?? ofWorkers ?? null;

  const takeShared = async (allowances: Allowances, key: string, perMinute: number): Promise<Taken> => {
    try {
      return await allowances.take(key, perMinute);
    } catch {
      return local.take(key, Math.max(1, Math.floor(perMinute / aloneDivisor)));
    }
  };

  const allowanceOf = (kind: LimitKind, caller: Holder | null, address: string) => {
    const from = clientAddress(address);
    if (kind === 'signIn') return { key: `signIn:${from}`, policy: 'sign-in', perMinute: limits.signIn };
    const tier = caller === null ? 'anonymous' : caller.premium ? 'premium' : 'authenticated';
    const who = caller === null ? from : caller.userId;
    if (kind === 'tool') return { key: `tool:${who}`, policy: 'tool', perMinute: limits[toolTiers[tier]] };
    if (kind === 'posts' || kind === 'votes' || kind === 'profile') {
      const perMinute = limits[kind] * (tier === 'authenticated' ? 1 : manyTimes);
      return { key: `${kind}:${who}`, policy: kind, perMinute };
    }
    return kind === 'write'
      ? { key: `write:${who}`, policy: 'write', perMinute: Math.ceil(limits[tier] / limits.writeDivisor) }
      : { key: `read:${who}`, policy: 'read', perMinute: limits[tier] };
  };

  return {
    take(kind, caller, address) {
      const { key, policy, perMinute } = allowanceOf(kind, caller, address);
      if (shared === null) return { ...local.take(key, perMinute), policy, perMinute };
      return takeShared(shared, key, perMinute).then((taken) => ({ ...taken, policy, perMinute }));
    },
    stop: () => redis?.stop(),
  };
};

/** Headers of every counted answer (draft-ietf-httpapi-ratelimit-headers). */
export const limitHeaders = ({ policy, perMinute, remaining, wholeInMs, nextInMs, admitted }: Limited) => ({
  'ratelimit-policy': `"${policy}";q=${perMinute};w=60`,
  ratelimit: `"${policy}";r=${remaining};t=${Math.ceil(wholeInMs / 1000)}`,
  ...(admitted ? {} : { 'retry-after': Math.max(1, Math.ceil(nextInMs / 1000)).toString() }),
});

/** @throws MintageError RATE_LIMIT_EXCEEDED. */
export const requireAdmitted = ({ admitted, policy, perMinute, nextInMs }: Limited): void => {
  if (admitted) return;
  const seconds = Math.max(1, Math.ceil(nextInMs / 1000));
  throw new MintageError('RATE_LIMIT_EXCEEDED', `More than ${perMinute} ${policy} requests in a minute`, {
    details: { retryAfterSeconds: seconds },
  });
};

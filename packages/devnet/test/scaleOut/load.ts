import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeApprove, encodeMint, encodeTransfer, formatUnits, platformIdOf, tokenIdOf } from '@mintage/protocol';
import { numberToHex, parseUnits } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type DevChain, type SeedToken, seedAddress, seedTokensOn } from '../../src/devnet.ts';
import type { Client } from './client.ts';
import { buyEffect, transferEffect } from './effects.ts';

/** Somebody with a session, an API key, and an embedded wallet that holds enough on every chain. */
export interface Person {
  accessToken: string;
  refreshToken: string;
  apiKey: { id: string; key: string };
  wallet: `0x${string}`;
}

/** What one call with one key was to do. */
export interface Wish {
  effect: string;
  outcome: 'accepted' | 'unknown';
  intentId: string | null;
  bearer: string;
}

export interface Load {
  wishes: Wish[];
  keysMade: { bearer: string; id: string }[];
  counts: { reads: number; signIns: number };
  /** Executed calls that were answered with a hash. @throws When the load has ended. */
  accepted(): number;
  /** Those of which nobody will say more. */
  unknown(): number;
  /** From now on no process is killed: whoever is cut off has found a defect. */
  expectNoCuts(): void;
  /** Lets what runs end. @throws What one of them met. */
  stop(): Promise<void>;
}

/** The two halves at different APIs. */
export const signIn = async (client: Client): Promise<{ accessToken: string; refreshToken: string }> => {
  const account = privateKeyToAccount(generatePrivateKey());
  const { message } = await client.read('/auth/challenge', { address: account.address }, { first: 0 });
  const signature = await account.signMessage({ message });
  const answer = await client.once(1, '/auth/login', { message, signature }, {}).catch(() => null);
  // A text counts once: whether it was taken before the connection broke is not known, so another is asked for.
  return answer?.status === 200 ? answer.body : signIn(client);
};

export const newPerson = async (client: Client, chains: readonly DevChain[]): Promise<Person> => {
  const session = await signIn(client);
  const bearer = session.accessToken;
  const apiKey = await client.read('/api-keys', { name: 'load' }, { bearer });
  const wallet = await embeddedWallet(client, bearer);
  for (const chain of chains) {
    await chain.rpc('anvil_setBalance', [wallet, numberToHex(10n ** 24n)]);
    const dollars = parseUnits('1000000', chain.deployment.usdDecimals);
    await chain.wallet.send(chain.accounts.dave, { to: chain.deployment.usd, data: encodeMint(wallet, dollars) });
    const data = encodeApprove(chain.deployment.launchpad, dollars);
    const acknowledge = { approvalRaw: String(dollars) };
    const approval = { to: chain.deployment.usd, data, chainSlug: chain.chain.slug, acknowledge };
    await client.write('/send-transaction', approval, { bearer, key: randomUUID() }, false);
  }
  return { ...session, apiKey, wallet };
};

/** `/me` has it made, and does not wait for it. */
const embeddedWallet = async (client: Client, bearer: string): Promise<`0x${string}`> => {
  for (;;) {
    const { data } = await client.read('/me', {}, { bearer });
    const made = data.wallets.find((wallet: { embedded: boolean }) => wallet.embedded);
    if (made !== undefined) return made.address;
    await sleep(100);
  }
};

/**
 * Reads, sign-ins, new keys and executed calls by everybody, through both APIs, until it is stopped.
 *
 * @param random - A whole number below the given one.
 */
export const startLoad = (
  client: Client,
  chains: readonly DevChain[],
  people: readonly Person[],
  random: (below: number) => number,
): Load => {
  const wishes: Wish[] = [];
  const keysMade: Load['keysMade'] = [];
  const counts = { reads: 0, signIns: 0 };
  let canBeCut = true;
  const stopping = new AbortController();
  let number = 0;

  const wish = async (path: string, body: object, effect: string, bearer: string): Promise<void> => {
    const cut = canBeCut;
    const ask = { bearer, key: randomUUID(), first: random(client.apis) };
    const outcome = await client.write(path, body, ask, cut);
    wishes.push({
      effect,
      bearer,
      outcome: outcome.kind,
      intentId: outcome.kind === 'accepted' ? outcome.body.intentId : null,
    });
  };

  const transfer = async (_: Person, chain: DevChain, bearer: string): Promise<void> => {
    const { usd } = chain.deployment;
    const to = numberToHex(0xbeef_0000n + BigInt(++number), { size: 20 });
    const body = { to: usd, data: encodeTransfer(to, 1n), chainSlug: chain.chain.slug };
    await wish('/send-transaction', body, transferEffect(chain.chain.slug, to), bearer);
  };

  const buy = async (person: Person, chain: DevChain, bearer: string): Promise<void> => {
    const { slug, eid } = chain.chain;
    const { usdDecimals } = chain.deployment;
    const usd = parseUnits('1', usdDecimals) + BigInt(++number) * 10n ** BigInt(usdDecimals - 6);
    const token = seedTokensOn(chain).find(({ symbol }) => symbol === 'BOAT') as SeedToken;
    const body = {
      tokenId: tokenIdOf(platformIdOf(await seedAddress(chain, token), eid)),
      chainSlug: slug,
      direction: 'buy',
      buyAmountUSD: Number(formatUnits(usd, usdDecimals)),
      slippageBps: 1_000,
      deadline: Math.floor(Date.now() / 1000) + 3600, // a slow machine is no reason to fail
      execute: true,
    };
    await wish('/trade-token', body, buyEffect(slug, person.wallet, usd), bearer);
  };

  const read = async ({ accessToken, apiKey }: Person): Promise<void> => {
    await client.read('/get-user-portfolio', {}, { bearer: accessToken });
    await client.read('/search-token', { input: 'paper-boat' }, { bearer: apiKey.key });
    counts.reads += 2;
  };

  const join = async (): Promise<void> => {
    const { accessToken: bearer } = await signIn(client);
    counts.signIns += 1;
    const outcome = await client.write('/api-keys', { name: 'more' }, { bearer, key: randomUUID() }, canBeCut);
    if (outcome.kind !== 'accepted') return;
    const { id, key } = outcome.body;
    keysMade.push({ bearer, id });
    await client.read('/api-keys/list', {}, { bearer: key });
  };

  const lane = async (person: Person, chain: DevChain): Promise<void> => {
    while (!stopping.signal.aborted) {
      const bearer = random(2) === 0 ? person.accessToken : person.apiKey.key;
      await (random(3) === 0 ? buy : transfer)(person, chain, bearer);
      if (random(3) === 0) await read(person);
      if (random(8) === 0) await join();
    }
  };
  const lanes = people.flatMap((person) => chains.map((chain) => lane(person, chain)));
  const ended = Promise.all(lanes);
  ended.catch(() => {
    stopping.abort(); // `stop` says why
  });
  return {
    wishes,
    keysMade,
    counts,
    accepted: () => {
      if (stopping.signal.aborted) throw new Error('The load has ended.');
      return wishes.filter(({ outcome }) => outcome === 'accepted').length;
    },
    unknown: () => wishes.filter(({ outcome }) => outcome === 'unknown').length,
    expectNoCuts: () => {
      canBeCut = false;
    },
    async stop() {
      stopping.abort();
      await ended;
    },
  };
};

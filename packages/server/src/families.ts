import { type Chain, type ChainType, chainTypeOf, type Eid, type Family } from '@mintage/protocol';
import type { CreateChainClient } from './chain/chainClient.ts';
import type { ServedChain } from './chain/servedChain.ts';
import type { CreateFollower } from './index/follower.ts';
import type { SigningFamily } from './sign/sender.ts';

export type { ChainClient, Order as ChainOrder, PreparedStep } from './chain/chainClient.ts';

/** What a family of chains brings besides its facts in `protocol`. Each role loads its own part. */
export interface ChainFamily {
  /** For the API: reads markets, prepares, simulates. */
  client(): Promise<CreateChainClient>;
  /** For the indexer. */
  follower(): Promise<CreateFollower>;
  /** For the signer: makes wallets, signs, sends and finishes. */
  signing(): Promise<SigningFamily>;
}

/** A chain of a family that is absent cannot be served. */
export type ChainFamilies = Readonly<Partial<Record<Family, ChainFamily>>>;

const evm: ChainFamily = {
  client: async () => (await import('./chain/evm/evmClient.ts')).createEvmClient,
  follower: async () => (await import('./index/evm/evmFollower.ts')).createEvmFollower,
  signing: async () => (await import('./sign/evm/evmSigning.ts')).evmSigning,
};

const solana: ChainFamily = {
  client: async () => (await import('./chain/solana/solanaClient.ts')).createSolanaClient,
  follower: async () => (await import('./index/solana/solanaFollower.ts')).createSolanaFollower,
  signing: async () => (await import('./sign/solana/solanaSigning.ts')).solanaSigning,
};

export const chainFamilies: ChainFamilies & Record<Family, ChainFamily> = { evm, eravm: evm, solana };

/** @throws Error, one sentence, for a chain whose family cannot be served. */
const familyOf = (families: ChainFamilies, { slug, family }: Pick<Chain, 'slug' | 'family'>): ChainFamily => {
  const found = families[family];
  if (found === undefined) throw new Error(`${slug} is a chain of the family ${family}, which cannot be served yet.`);
  return found;
};

/** One part of the families of these chains, by chain. Only what is asked for is loaded. */
const partsOf = async <Part>(
  chains: readonly ServedChain[],
  families: ChainFamilies,
  load: (family: ChainFamily) => Promise<Part>,
): Promise<(chain: Pick<Chain, 'eid'>) => Part> => {
  const parts = new Map<Eid, Part>();
  for (const { chain } of chains) parts.set(chain.eid, await load(familyOf(families, chain)));
  return ({ eid }) => parts.get(eid) as Part;
};

export const clientsOf = async (
  chains: readonly ServedChain[],
  families: ChainFamilies = chainFamilies,
): Promise<CreateChainClient> => {
  const part = await partsOf(chains, families, (family) => family.client());
  return (served, options) => part(served.chain)(served, options);
};

export const followersOf = async (
  chains: readonly ServedChain[],
  families: ChainFamilies = chainFamilies,
): Promise<CreateFollower> => {
  const part = await partsOf(chains, families, (family) => family.follower());
  return (served, ...rest) => part(served.chain)(served, ...rest);
};

/** By the word of the wire for a family: wallets are one a user and word. */
export const signingOf = async (
  chains: readonly ServedChain[],
  families: ChainFamilies = chainFamilies,
): Promise<ReadonlyMap<ChainType, SigningFamily>> => {
  const part = await partsOf(chains, families, (family) => family.signing());
  return new Map(chains.map(({ chain }) => [chainTypeOf(chain), part(chain)]));
};

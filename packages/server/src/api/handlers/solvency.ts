import {
  type EthRequest,
  formatUnits,
  type Ledger,
  newLedger,
  readSolvency,
  type Solvency,
  type TokenBooks,
} from '@mintage/protocol';
import { type AnswerOf, definitions } from '@mintage/protocol/operations';
import { getBlock } from '../../chain/evm/calls.ts';
import type { ChainContext } from '../../chain/servedChain.ts';
import { chainOf } from '../trade/chainOf.ts';
import type { Context } from './context.ts';
import { handler } from './handler.ts';

type Books = NonNullable<AnswerOf<'solvency'>['chains'][number]['books']>;

export const solvency = handler(definitions.solvency, async (context, { chainSlug, limit, offset }) => {
  const served = chainSlug === undefined ? [...context.chains.values()] : [chainOf(context, chainSlug)];
  const page = (books: Books): Books => ({ ...books, tokens: books.tokens.slice(offset, offset + limit) });
  return {
    chains: await Promise.all(
      served.map(async (one) => {
        const { chain, deployment } = one;
        const books = await booksOf(context, one);
        return {
          slug: chain.slug,
          chainId: chain.chainId,
          launchpad: deployment.launchpad,
          dollarToken: { address: deployment.usd, symbol: deployment.usdSymbol, decimals: deployment.usdDecimals },
          books: books && page(books),
        };
      }),
    ),
  };
});

/** Shared state of the readings of one chain. */
interface Reader {
  ledger: Ledger;
  /** The last reading, valid while its block is the latest. */
  last: Books | null;
  /** The reading in progress, shared by concurrent requests. */
  reading: Promise<Books> | null;
}

/** Readers by chain, kept while the chain is served. */
const readers = new WeakMap<ChainContext, Reader>();

/** Null when no provider of the chain answers, or it does not know the block any more. */
const booksOf = async ({ log }: Context, served: ChainContext): Promise<Books | null> => {
  const reader = readers.get(served) ?? { ledger: newLedger(served.deployment.startBlock), last: null, reading: null };
  readers.set(served, reader);
  reader.reading ??= read(served, reader).finally(() => {
    reader.reading = null;
  });
  try {
    return await reader.reading;
  } catch (err) {
    log.warn({ err, chain: served.chain.slug }, 'The books could not be read.');
    return null;
  }
};

const read = async ({ rpc, deployment }: ChainContext, reader: Reader): Promise<Books> => {
  const newest = await rpc.request(getBlock('latest'));
  if (reader.last === null || reader.last.blockHash !== newest?.hash) {
    const request: EthRequest = (method, params) =>
      rpc.first((node) => node.request({ method, params }), { stays: true });
    const { launchpad, usdDecimals } = deployment;
    reader.last = describe(await readSolvency({ request, launchpad, ledger: reader.ledger }), usdDecimals);
  }
  return reader.last;
};

const describe = (solvency: Solvency, decimals: number): Books => {
  const { block, heldUsd, creditsUsd, surplusUsd, accounts, tokens } = solvency;
  const dollars = (amount: bigint): string => formatUnits(amount, decimals);
  const sumsOf = ({ reserveUsd, floorUsd, treasuryShareUsd }: Omit<TokenBooks, 'token' | 'graduated'>) => ({
    reserveUsd: dollars(reserveUsd),
    reserveUsdRaw: reserveUsd.toString(),
    floorUsd: dollars(floorUsd),
    floorUsdRaw: floorUsd.toString(),
    treasuryShareUsd: dollars(treasuryShareUsd),
    treasuryShareUsdRaw: treasuryShareUsd.toString(),
  });
  return {
    blockNumber: block.number,
    blockHash: block.hash,
    blockTime: block.time,
    heldUsd: dollars(heldUsd),
    heldUsdRaw: heldUsd.toString(),
    ...sumsOf(solvency),
    creditsUsd: dollars(creditsUsd),
    creditsUsdRaw: creditsUsd.toString(),
    surplusUsd: dollars(surplusUsd),
    surplusUsdRaw: surplusUsd.toString(),
    solvent: surplusUsd >= 0n,
    accounts,
    tokenCount: tokens.length,
    tokens: tokens.map((token) => ({ token: token.token, graduated: token.graduated, ...sumsOf(token) })),
  };
};

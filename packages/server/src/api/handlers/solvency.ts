import { formatUnits, isSolvent, type Solvency, type TokenBooks } from '@mintage/protocol';
import { type AnswerOf, definitions } from '@mintage/protocol/operations';
import type { ChainContext } from '../../chain/chainContext.ts';
import { readAcrossChains } from '../reads/acrossChains.ts';
import { chainOf } from '../trade/chainOf.ts';
import type { Context } from './context.ts';
import { handler } from './handler.ts';

type Books = NonNullable<AnswerOf<'solvency'>['chains'][number]['books']>;

export const solvency = handler(definitions.solvency, async (context, { chainSlug, limit, offset }) => {
  const served = chainSlug === undefined ? [...context.chains.values()] : [chainOf(context, chainSlug)];
  const page = (books: Books): Books => ({ ...books, tokens: books.tokens.slice(offset, offset + limit) });
  const [chains, acrossChains] = await Promise.all([
    Promise.all(
      served.map(async (one) => {
        const { chain, deployment } = one;
        const books = await booksOf(context, one);
        return {
          slug: chain.slug,
          chainId: chain.chainId ?? 0,
          launchpad: deployment.launchpad,
          dollarToken: { address: deployment.usd, symbol: deployment.usdSymbol, decimals: deployment.usdDecimals },
          books: books && page(books),
        };
      }),
    ),
    readAcrossChains(context, { limit, offset }),
  ]);
  return { chains, acrossChains };
});

/** What was written of a reading, which is the same one while no block is new. */
const described = new WeakMap<Solvency, Books>();

/** Null when no provider of the chain answers, or it does not know the block any more. */
const booksOf = async ({ log }: Context, { chain, client, deployment }: ChainContext): Promise<Books | null> => {
  try {
    const solvency = await client.solvency();
    const books = described.get(solvency) ?? describe(solvency, deployment.usdDecimals);
    described.set(solvency, books);
    return books;
  } catch (err) {
    log.warn({ err, chain: chain.slug }, 'The books could not be read.');
    return null;
  }
};

const describe = (solvency: Solvency, decimals: number): Books => {
  const { block, heldUsd, creditsUsd, surplusUsd, accounts, tokens } = solvency;
  const dollars = (amount: bigint): string => formatUnits(amount, decimals);
  const sumsOf = ({
    reserveUsd,
    floorUsd,
    treasuryShareUsd,
  }: Pick<TokenBooks, 'reserveUsd' | 'floorUsd' | 'treasuryShareUsd'>) => ({
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
    solvent: isSolvent(solvency),
    accounts,
    tokenCount: tokens.length,
    tokens: tokens.map((token) => ({
      token: token.token,
      graduated: token.graduated,
      ...sumsOf(token),
      inTokens: token.inTokens && {
        heldRaw: token.inTokens.held.toString(),
        creditsRaw: token.inTokens.credits.toString(),
      },
    })),
  };
};

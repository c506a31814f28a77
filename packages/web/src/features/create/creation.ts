import { MintageError } from '@mintage/sdk';
import type { Api } from '../../lib/api.ts';
import { addressIn, type Job, type JobStep, newStep } from '../../lib/jobs.ts';
import { linkNames } from '../../lib/links.ts';
import type { Picture } from '../../lib/readPicture.ts';
import { type Draft, dollarsIn, tagsOf } from './draft.ts';

/** What the page says of a creation that is under way. */
export interface About {
  name: string;
  symbol: string;
  chain: string;
  firstBuy: Draft['firstBuy'];
  buyUsd: string;
  destinations: string[];
}

/**
 * The steps of a creation: the token, its first buy unless that is within the creation, and a message to other chains. That is a step of
 * its own instead of `destinationChains`, so that it can be skipped and come after the buy.
 *
 * @param wallet - Who signs, as `keyOf`; null: the embedded wallet.
 */
export const newCreation = (
  draft: Draft,
  given: { userId: string; wallet: string | null; chain: string; picture: Picture; banner: Picture | null },
): Job<About> => {
  const { wallet, chain: chainSlug } = given;
  const tags = tagsOf(draft.tags);
  const links = Object.fromEntries(
    linkNames.flatMap((name) => (draft.links[name].trim() === '' ? [] : [[name, draft.links[name].trim()]])),
  );
  const destinations = draft.destinations.filter((slug) => slug !== chainSlug);
  const buyUsd = dollarsIn(draft.buyUsd) ?? '0';
  const usd = Number(buyUsd);
  const created = {
    name: draft.name.trim(),
    symbol: draft.symbol.trim(),
    description: draft.description.trim(),
    image: given.picture.uri,
    chainSlug,
    poolType: draft.poolType,
    ...(given.banner !== null && { banner: given.banner.uri }),
    ...(Object.keys(links).length > 0 && { links }),
    ...(tags.length > 0 && { tags }),
    ...(draft.firstBuy === 'with' && { amountIn: usd }),
    ...(wallet !== null && { userAddress: wallet }),
  };
  const bought = { tokenId: '$create.token', chainSlug, direction: 'buy', buyAmountUSD: usd };
  const announced = { token_id: '$create.token', chains: destinations };
  const after = ['create'];
  return {
    userId: given.userId,
    about: {
      name: created.name,
      symbol: created.symbol,
      chain: chainSlug,
      firstBuy: draft.firstBuy,
      buyUsd,
      destinations,
    },
    steps: [
      newStep({ name: 'create', operation: 'createTokenTransaction', asked: created, wallet }),
      ...(draft.firstBuy === 'after'
        ? [
            newStep({
              name: 'buy',
              operation: 'tradeToken',
              asked: { ...bought, ...(wallet !== null && { userAddress: wallet }) },
              after,
              wallet,
            }),
          ]
        : []),
      ...(destinations.length > 0
        ? [
            newStep({
              name: 'announce',
              operation: 'registerToken',
              asked: { ...announced, ...(wallet !== null && { wallet_address: wallet }) },
              after,
              wallet,
            }),
          ]
        : []),
    ],
  };
};

/** What the service fixed of the token when it prepared it; null: it has not yet. */
export const metadataOf = ({ steps }: Pick<Job<About>, 'steps'>) => {
  const prepared = steps.find(({ name }) => name === 'create')?.prepared;
  return prepared?.operation === 'createTokenTransaction' ? prepared.answer.metadata : null;
};

export const isCreated = ({ steps }: Pick<Job<About>, 'steps'>): boolean =>
  steps.some(({ name, status }) => name === 'create' && status === 'done');

const everyMs = 700;
const longestMs = 40_000;

/** Asks again until there is an answer; a token that was just created is not known everywhere at once. @returns Whether there was. */
const until = async (ask: () => Promise<boolean>): Promise<boolean> => {
  for (const startedAt = performance.now(); performance.now() - startedAt < longestMs; ) {
    const isThere = await ask().catch((error: unknown) => {
      if (error instanceof MintageError && error.code === 'TOKEN_NOT_FOUND') return false;
      throw error;
    });
    if (isThere) return true;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  return false;
};

/** The chain made no block in which the fee is 1 %. */
export class StillOpeningError extends Error {
  override name = 'StillOpeningError';
}

/** Waits before the buy until the token's opening fee is over, by the chain's clock. @throws StillOpeningError */
export const waitForOpening = async (api: Api, job: Job<About>, step: JobStep): Promise<void> => {
  const metadata = metadataOf(job);
  if (step.name !== 'buy' || step.sent.length > 0 || step.key !== undefined || metadata === null) return;
  const tokenId = addressIn(metadata.addresses);
  const asked = { tokenId, chainSlug: job.about.chain, direction: 'buy', inputToken: 'usdc', amount: 1 };
  const isOver = await until(async () => {
    // Asked first, because it is no error where the token is not known yet.
    if ((await api.searchToken({ input: tokenId })).token === null) return false;
    const { data } = await api.quoteToken(asked as Parameters<Api['quoteToken']>[0]);
    return data.antiSnipe === null;
  });
  if (!isOver) throw new StillOpeningError();
};

/** Waits until the service knows the token; its page is there then. */
export const waitForPage = async (api: Api, tokenId: string): Promise<void> => {
  await until(async () => (await api.searchToken({ input: tokenId })).token !== null);
};

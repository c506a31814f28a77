import {
  canGraduate,
  chainTypeOf,
  type Eid,
  invalid,
  MintageError,
  type PoolType,
  poolTypeBySlug,
} from '@mintage/protocol';
import { definitions, platformIdKeys, type Warning } from '@mintage/protocol/operations';
import type { ChainContext } from '../../chain/chainContext.ts';
import { usdOf } from '../../chain/market.ts';
import { requireSuccess } from '../../chain/outcome.ts';
import { decimalsOf } from '../../chain/servedChain.ts';
import { describeFees, prepareDestinations } from '../crossing/prepareAnnouncement.ts';
import { type Execution, execute, notExecuted } from '../execution/execute.ts';
import { executeIfAsked } from '../execution/executeIfAsked.ts';
import { openCalls } from '../execution/openCalls.ts';
import { senderOf } from '../execution/sender.ts';
import { storeDraft } from '../tokens/draft.ts';
import { shownPlatformId } from '../tokens/identity.ts';
import { prepareMetadata } from '../tokens/metadata.ts';
import { identityOf } from '../tokens/tokenAddress.ts';
import { refuseWalls } from '../tokens/walls.ts';
import { approvalWarnings } from '../trade/approvalWarnings.ts';
import { attributionOf, earnersOf } from '../trade/attribution.ts';
import { chainOf, requireMotion } from '../trade/chainOf.ts';
import { describeOutcome } from '../trade/describe.ts';
import { initialBuyOf } from '../trade/initialBuy.ts';
import { creationSteps, firstBuyOf, planCreation } from '../trade/prepareCreation.ts';
import { describeQuote, itemsOf, lastGasLimit } from '../trade/prepareTrade.ts';
import { readChain } from '../trade/readMarket.ts';
import { deadlineOf } from '../trade/terms.ts';
import { readingWarnings, simulationWarnings, warningsOf } from '../trade/warnings.ts';
import { wholeFieldsOf } from '../trade/wholeTransaction.ts';
import type { Context } from './context.ts';
import { handler } from './handler.ts';

/** Checks, prices and simulates the transaction first; only then stores media and draft, and executes last. */
export const createTokenTransaction = handler(definitions.createTokenTransaction, async (context, input, call) => {
  const served = chainOf(context, input.chainSlug);
  const { chain, deployment } = served;
  const attribution = attributionOf(chain, input);
  const sender = await senderOf(context, call.caller, served.chain, {
    ...input,
    field: 'userAddress',
    named: input.userAddress,
  });
  const { address: creator, caller } = sender;
  const recipients = [{ address: creator, field: 'userAddress' }, ...earnersOf(attribution)];
  await refuseWalls(context, served, caller, recipients, input.acknowledge);
  const poolType = poolTypeOn(served, input.poolType ?? 'meme');
  const decimals = decimalsOf(served);
  const buy = initialBuyOf(input, decimals);
  const salt = served.client.newSalt(creator);
  const identity = identityOf(served, creator, salt);
  const { name, symbol, description } = input;
  const nowMs = context.now();
  const destinationChains = [...new Set(input.destinationChains ?? [])].filter((slug) => slug !== chain.slug);
  const origin = { ...identity, creator, salt, name, symbol };
  const destinations = await prepareDestinations(context.chains, served, origin, destinationChains);

  const aloneWillDo = !sender.executes;
  if (input.simulate === false) await requireMotion(context, served);
  const reading =
    input.simulate === false ? null : await readChain(served, { ...identity, name, symbol }, creator, aloneWillDo);
  const blockTime = reading?.block.time ?? (await indexedTime(context, chain.eid));
  const deadline = deadlineOf(input.deadline, { slug: chain.slug, blockTime, nowMs });
  const known = reading === null ? await context.markets.referrerOf(served, creator) : reading.trader.referrer;
  const hasRoom = buy === null || served.client.vouchesWithFirstBuy;
  const voucher =
    known === null && hasRoom ? await context.vouchers.issue(caller, served, creator, { deadline, blockTime }) : null;
  const plan = planCreation({ served, creator, identity, name, symbol, poolType, salt, deadline, voucher }, buy, {
    ...attribution,
    referrer: known ?? voucher?.referrer ?? null,
    executes: sender.executes,
  });

  const links = definedOf(input.links ?? {});
  const tags = input.tags ?? [];
  const fields = { name, symbol, description, image: input.image, banner: input.banner, video: input.video };
  const asker = { owner: caller.userId, address: call.address, ...(call.gone && { gone: call.gone() }) };
  const { metadata, files } = await prepareMetadata(context.media, { ...fields, links, tags }, asker);
  const before = sender.executes && reading ? await openCalls(context, served, creator, reading.block.number) : [];
  // Other transactions of this wallet may spend the allowance that this block shows, so the server always approves
  // anew.
  const usdAllowance = sender.executes ? null : (reading?.trader.usdAllowance ?? null);
  const steps = await creationSteps(plan, metadata.tokenUri, usdAllowance);
  const calls = steps.map((step) => step.call);
  const units = { usd: usdOf(deployment), token: { symbol, decimals: decimals.token }, kind: buy?.kind };
  const how = reading && { blockNumber: reading.block.number, units, before, aloneWillDo };
  const outcome = how && (await served.client.simulate(creator, calls, how));
  if (sender.executes && outcome) requireSuccess(outcome);

  await context.media.storeForNow(files, asker);
  const draft = {
    tokenId: identity.tokenId,
    eid: chain.eid,
    address: identity.address,
    userId: caller.userId,
    creator,
    poolType: poolType.slug,
    name,
    symbol,
    description,
    ...metadata,
    links,
    tags,
    destinationChains,
    builder: attribution.builder?.code ?? null,
  };
  const { slug } = await storeDraft(context.db, draft, input.replaces);

  const creation = itemsOf(served, steps, lastGasLimit(steps, false, outcome));
  const last = creation.at(-1);
  if (last === undefined) throw new Error('a creation has at least one step');
  const { announcement } = destinations;
  const [message] = announcement === null ? [] : itemsOf(served, [announcement.step], announcement.step.gasBound);
  const decoded = served.client.decode({ to: last.to, data: last.data });
  const first = firstBuyOf(plan, steps, nowMs);
  const { acknowledge } = input;
  const state = { seenBlock: reading?.block.number ?? 0, premise: reading?.premise };
  const wish = { served, transactions: creation, deadline, acknowledge, ...state };
  const execution = sender.executes ? await execute(context, { ...wish, sender }, call) : notExecuted;
  // By itself, after the creation, which stands also where the wallet cannot pay the message or its price has risen.
  const sent =
    message === undefined ? notExecuted : await sentOr(executeIfAsked(context, served, sender, message, call));
  const unsent: Warning[] = sent instanceof MintageError ? [notSent(sent)] : [];
  return {
    success: true,
    ...execution,
    chainId: chain.chainId ?? 0,
    transaction: {
      to: last.to,
      data: last.data,
      value: last.value,
      gasLimit: last.gasLimit,
      ...wholeFieldsOf(last),
    },
    transactions: message === undefined ? creation : [...creation, message],
    metadata: {
      tokenUri: metadata.tokenUri,
      tokenId: identity.tokenId,
      name,
      symbol,
      slug,
      description,
      hubUrl: `${context.config.appUrl}/token/${slug}`,
      logo: metadata.logo,
      addresses: { evm: '', solana: '', [chainTypeOf(chain)]: identity.address },
      ...platformIdKeys(
        context.config.platformName,
        shownPlatformId(context.config, { platform_id: identity.platformId, graduated_at: null }),
      ),
    },
    quote: first && describeQuote(first, decoded, outcome),
    registration: announcement && {
      ...describeFees(announcement),
      ...(sent instanceof MintageError ? notExecuted : sent),
    },
    decoded,
    simulation:
      outcome &&
      describeOutcome(outcome, creator, {
        usd: usdOf(deployment),
        tokenDecimals: decimals.token,
        token: { address: identity.address, symbol },
      }),
    warnings: [
      ...(first ? warningsOf(first.quote, 0, outcome) : simulationWarnings(outcome)),
      ...approvalWarnings(served, steps, reading?.trader.usdAllowance ?? null),
      ...readingWarnings(reading),
      ...destinations.warnings,
      ...unsent,
    ],
  };
});

const sentOr = (execution: Promise<Execution>): Promise<Execution | MintageError> =>
  execution.catch((error: unknown) => {
    if (error instanceof MintageError) return error;
    throw error;
  });

const notSent = ({ message }: MintageError): Warning => ({
  code: 'DESTINATIONS_NOT_SENT',
  sentence: `The token is created, but the last item of \`transactions\`, which deploys it on other chains, was not sent: ${message}. Anyone can send it later.`,
});

/** @throws UNSUPPORTED_CHAIN where tokens cannot graduate, INVALID_PARAMETERS for a test token on a mainnet. */
const poolTypeOn = ({ chain, deployment }: ChainContext, slug: PoolType['slug']): PoolType => {
  if (!canGraduate(deployment))
    throw new MintageError('UNSUPPORTED_CHAIN', `Tokens cannot be created on ${chain.slug}: it has no pool venue yet.`);
  if (slug === 'test' && !chain.testnet) throw invalid('poolType', 'test is for test networks only');
  return poolTypeBySlug(slug);
};

/** Unix seconds of the newest indexed block; null before the first. */
const indexedTime = async ({ db }: Context, eid: Eid): Promise<number | null> => {
  const row = await db.selectFrom('chain').select('indexed_time').where('eid', '=', eid).executeTakeFirst();
  return row?.indexed_time ? row.indexed_time.getTime() / 1000 : null;
};

const definedOf = (links: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(links).filter((entry): entry is [string, string] => entry[1] !== undefined));

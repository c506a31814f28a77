import { type Address, type Eid, formatUnits, tokenDecimalsOf, totalSupply, windowSeconds } from '@mintage/protocol';
import { type AnswerOf, definitions } from '@mintage/protocol/operations';
import type { TokenContract } from '../../chain/chainClient.ts';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Db } from '../../db/serviceTables.ts';
import { creatorSales } from '../reads/creatorSales.ts';
import { curveNow } from '../reads/curveNow.ts';
import type { InBlock } from '../reads/inBlock.ts';
import { largestHolders } from '../reads/largestHolders.ts';
import { oneOf } from '../reads/oneOf.ts';
import { openingBuys } from '../reads/openingBuys.ts';
import { livingOn } from '../tokens/registrations.ts';
import { servedChains } from '../tokens/servedChains.ts';
import { requireServedToken } from '../tokens/servedToken.ts';
import type { KnownToken } from '../tokens/tokenRef.ts';
import { percentOfSupply } from '../wire/decimals.ts';
import type { Context } from './context.ts';
import { handler } from './handler.ts';

type Facts = AnswerOf<'getTokenFacts'>['facts'];
type Fact<Name extends keyof Facts> = Promise<Facts[Name]>;
type Proof = Facts['created']['proofs'][number];

/** A token, its home, and how far that is indexed. */
interface Subject {
  token: KnownToken;
  served: ChainContext;
  /** Chains that it lives on and that are served. */
  eids: readonly Eid[];
  indexed: { block: number; time: Date | null };
  /** What is told of its trades is not known: some of them are no longer kept. */
  forgotten: string | null;
}

export const getTokenFacts = handler(definitions.getTokenFacts, async (context, { token_id: tokenRef }) => {
  const { token, served } = await requireServedToken(context, tokenRef);
  const { db } = context;
  const chains = servedChains(context);
  const subject = {
    token,
    served,
    eids: livingOn(token).filter((eid) => chains.has(eid)),
    ...(await indexOf(db, token)),
  };
  const contract = readContract(context, subject);
  const [supply, code, holders, held, sold, opening, first] = await Promise.all([
    supplyFact(subject, contract),
    codeFact(subject, contract),
    holdersFact(db, subject),
    heldFact(db, subject),
    soldFact(db, subject),
    openingFact(db, subject),
    firstTradeFact(db, subject),
  ]);
  return {
    success: true,
    token_id: token.token_id,
    chain: served.chain.slug,
    token_address: token.address,
    facts: {
      liquidity: liquidityFact(subject),
      supply,
      contract_code: code,
      ten_largest_holders: holders,
      creator_holds: held,
      creator_sold: sold,
      bought_in_opening: opening,
      first_trade: first,
      created: createdFact(subject),
      graduated: graduatedFact(subject),
      funded_by_creator: unknown('No provider of this chain tells who paid whom before.'),
    },
  };
});

const indexOf = async (db: Db, token: KnownToken): Promise<Pick<Subject, 'indexed' | 'forgotten'>> => {
  const chain = await db
    .selectFrom('chain')
    .select(['indexed', 'indexed_time', 'history_from'])
    .where('eid', '=', token.eid)
    .executeTakeFirstOrThrow();
  const { indexed: block, indexed_time: time, history_from: from } = chain;
  const isForgotten = from !== null && token.created_at < from && token.trades > 0;
  return {
    indexed: { block, time },
    forgotten: isForgotten ? `Trades before ${from.toISOString()} are not kept.` : null,
  };
};

// ---------------------------------------------------------------- forms

const known = <Value>(value: Value, proofs: Proof[]) => ({ known: true, why: null, value, proofs });
const unknown = (why: string) => ({ known: false, why, value: null, proofs: [] });

const byTransaction = ({ served }: Subject, { hash, block }: InBlock): Proof => ({
  kind: 'transaction',
  chain: served.chain.slug,
  hash,
  block,
});

const byContract = ({ served }: Subject, address: Address, block: number | null = null): Proof => ({
  kind: 'contract',
  chain: served.chain.slug,
  address,
  block,
});

const byQuery = (
  { served, indexed }: Subject,
  operation: { path: string },
  body: Extract<Proof, { kind: 'query' }>['body'],
): Proof => ({ kind: 'query', chain: served.chain.slug, path: operation.path, body, block: indexed.block });

const whole = ({ served }: Subject, tokens: bigint): string => formatUnits(tokens, tokenDecimalsOf(served.chain));
const percentOf = ({ served }: Subject, tokens: bigint): string =>
  percentOfSupply(tokens, tokenDecimalsOf(served.chain));
const tokenKeys = (subject: Subject, tokens: bigint) => ({
  tokens: whole(subject, tokens),
  tokens_raw: tokens.toString(),
  percent: percentOf(subject, tokens),
});
const supplyOf = ({ served }: Subject): bigint => totalSupply * 10n ** BigInt(tokenDecimalsOf(served.chain));
/** Proofs of one fact. */
const mostProofs = 20;

// ---------------------------------------------------------------- from the index

const liquidityFact = (subject: Subject): Facts['liquidity'] => {
  const { token, served } = subject;
  const { deployment } = served;
  const { graduation, pool_id: pool } = token;
  const usd = (amount: bigint): string => formatUnits(amount, deployment.usdDecimals);
  const holder = deployment.launchpad;
  if (graduation === null || pool === null) {
    const curve = curveNow(token, served);
    if (curve === null) return unknown('Its kind of curve is not known here.');
    const value = {
      where: 'curve' as const,
      holder,
      pool: null,
      locked_usd: usd(curve.reserveUsd + token.floor_usd),
      locked_tokens: whole(subject, supplyOf(subject) - curve.soldTokens),
    };
    return known(value, [byContract(subject, holder)]);
  }
  const { usdLocked, floorUsd, tokensLocked, txHash, blockNumber } = graduation;
  const value = {
    where: 'pool' as const,
    holder,
    pool,
    locked_usd: usd(BigInt(usdLocked) + BigInt(floorUsd)),
    locked_tokens: whole(subject, BigInt(tokensLocked)),
  };
  const graduated = byTransaction(subject, { hash: txHash, block: blockNumber });
  return known(value, [graduated, byContract(subject, holder)]);
};

const createdFact = (subject: Subject): Facts['created'] => {
  const { created_at: at, creator, tx_hash: hash, block_number: block } = subject.token;
  return known({ at: at.toISOString(), creator }, [byTransaction(subject, { hash, block })]);
};

const graduatedFact = (subject: Subject): Facts['graduated'] => {
  const { graduated_at: at, graduation } = subject.token;
  if (at === null || graduation === null) return known(null, []);
  const { txHash: hash, blockNumber: block } = graduation;
  return known({ at: at.toISOString() }, [byTransaction(subject, { hash, block })]);
};

const firstTradeFact = async (db: Db, subject: Subject): Fact<'first_trade'> => {
  const { token, served, forgotten } = subject;
  if (forgotten !== null) return unknown(forgotten);
  const first = await db
    .selectFrom('trade')
    .select(['time', 'trader', 'side', 'gross_usd', 'tx_hash', 'block_number'])
    .where('eid', '=', token.eid)
    .where('token', '=', token.address)
    .where('time', '>=', token.created_at)
    .orderBy('time')
    .orderBy('block_number')
    .orderBy('log_index')
    .limit(1)
    .executeTakeFirst();
  if (first === undefined) return known(null, []);
  const { time, trader: wallet, side, gross_usd: gross, tx_hash: hash, block_number: block } = first;
  const usd = formatUnits(gross, served.deployment.usdDecimals);
  return known({ at: time.toISOString(), wallet, side, usd }, [byTransaction(subject, { hash, block })]);
};

const holdersFact = async (db: Db, subject: Subject): Fact<'ten_largest_holders'> => {
  const { token, eids } = subject;
  const largest = await largestHolders(db, token.address, eids, 10);
  const held = largest.reduce((sum, { amount }) => sum + amount, 0n);
  const query = byQuery(subject, definitions.getTokenHolders, { token_id: token.token_id, limit: 100 });
  return known({ ...tokenKeys(subject, held), wallets: largest.length }, [query]);
};

const heldFact = async (db: Db, subject: Subject): Fact<'creator_holds'> => {
  const { token, eids } = subject;
  const { creator: wallet } = token;
  const held = await db
    .selectFrom('balance')
    .select('amount')
    .where(oneOf('eid', eids))
    .where('token', '=', token.address)
    .where('wallet', '=', wallet)
    .execute();
  const amount = held.reduce((sum, one) => sum + one.amount, 0n);
  const query = byQuery(subject, definitions.checkTokenOwnership, { token_id: token.token_id, user_address: wallet });
  return known({ wallet, ...tokenKeys(subject, amount) }, [query]);
};

const soldFact = async (db: Db, subject: Subject): Fact<'creator_sold'> => {
  const { token, served, forgotten } = subject;
  if (forgotten !== null) return unknown(forgotten);
  const { tokens, throughOthers, grossUsd, trades, lastAt, transactions } = await creatorSales(db, token, mostProofs);
  const value = {
    ...tokenKeys(subject, tokens),
    usd: formatUnits(grossUsd, served.deployment.usdDecimals),
    trades,
    through_other_routers: whole(subject, throughOthers),
    last_at: lastAt?.toISOString() ?? null,
  };
  const asked = { wallet: token.creator, chains: [served.chain.slug] };
  const proofs = transactions.map((one) => byTransaction(subject, one));
  return known(value, proofs.length > 0 ? proofs : [byQuery(subject, definitions.getWalletTrades, asked)]);
};

const openingFact = async (db: Db, subject: Subject): Fact<'bought_in_opening'> => {
  const { token, indexed, forgotten } = subject;
  if (forgotten !== null) return unknown(forgotten);
  const buys = await openingBuys(db, token, mostProofs);
  const endsMs = token.created_at.getTime() + Number(windowSeconds) * 1_000;
  const value = {
    ...tokenKeys(subject, buys.tokens),
    seconds: Number(windowSeconds),
    wallets: buys.wallets,
    trades: buys.trades,
    transactions: buys.transactionCount,
    creator_percent: percentOf(subject, buys.byCreator),
    is_over: indexed.time !== null && indexed.time.getTime() >= endsMs,
  };
  const proofs = buys.transactions.map((one) => byTransaction(subject, one));
  const { tx_hash: hash, block_number: block } = token;
  return known(value, proofs.length > 0 ? proofs : [byTransaction(subject, { hash, block })]);
};

// ---------------------------------------------------------------- from the chain

/** Null while no two providers say the same. */
const readContract = async (context: Context, { token, served }: Subject): Promise<TokenContract | null> => {
  try {
    return await served.client.readToken(token.address);
  } catch (err) {
    context.log.warn({ err, chain: served.chain.slug }, 'The contract of a token could not be read.');
    return null;
  }
};

const notRead = unknown('The providers of this chain do not answer now, or not alike.');

const codeFact = async (subject: Subject, reading: Promise<TokenContract | null>): Fact<'contract_code'> => {
  const contract = await reading;
  if (contract === null) return notRead;
  const { code, block } = contract;
  if (code === null) return unknown('Tokens of this chain have no code of their own.');
  const { implementation } = code;
  if (implementation.publishedHash === null) return unknown('The deployment does not say which code was published.');
  const value = {
    matches: isPublished(contract),
    code_hash: code.hash,
    published_hash: code.publishedHash,
    implementation: implementation.address,
    implementation_hash: implementation.hash,
    published_implementation_hash: implementation.publishedHash,
  };
  return known(
    value,
    [subject.token.address, implementation.address].map((at) => byContract(subject, at, block)),
  );
};

const isPublished = ({ code }: TokenContract): boolean =>
  code !== null && code.hash === code.publishedHash && code.implementation.hash === code.implementation.publishedHash;

const supplyFact = async (subject: Subject, reading: Promise<TokenContract | null>): Fact<'supply'> => {
  const contract = await reading;
  if (contract === null) return notRead;
  const { supply, block } = contract;
  if (!isPublished(contract)) return unknown('Its code is not known to be the published one.');
  const value = {
    total_tokens: totalSupply.toString(),
    home_tokens: whole(subject, supply),
    home_tokens_raw: supply.toString(),
    elsewhere_tokens: whole(subject, supplyOf(subject) - supply),
  };
  return known(value, [byContract(subject, subject.token.address, block)]);
};

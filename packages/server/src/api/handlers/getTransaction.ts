import { type Address, type Eid, formatUnits, MintageError } from '@mintage/protocol';
import { type AnswerOf, definitions } from '@mintage/protocol/operations';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Db } from '../../db/serviceTables.ts';
import { explorerUrlOf } from '../reads/explorerUrl.ts';
import { oneOf } from '../reads/oneOf.ts';
import { hashOn } from '../tokens/addresses.ts';
import { chainOf } from '../trade/chainOf.ts';
import { isoTime } from '../wire/isoTime.ts';
import { handler } from './handler.ts';

export const getTransaction = handler(definitions.getTransaction, async (context, input) => {
  const served = chainOf(context, input.chainSlug);
  const { chain, client } = served;
  const hash = hashOn(context, chain, input.hash, 'hash');
  const found = await client.readTransaction(hash);
  if (found === null) throw new MintageError('TRANSACTION_NOT_FOUND', `No transaction of ${chain.name} has this hash.`);
  const { block, from, to, value, feePaid, whyReverted, calls, events, otherEvents, isAlone } = found;
  const tokens = await tokensAt(context.db, chain.eid, [
    ...calls.map((call) => call.to),
    ...events.map(({ address }) => address),
  ]);
  const placeOf = (address: Address) => ({
    contract: contractAt(served, tokens, address),
    address,
    token_id: tokens.get(address) ?? null,
  });
  const explorer = explorerUrlOf(served);
  return {
    success: true,
    chain: chain.slug,
    hash,
    status: block === null ? 'sent' : await statusIn(context.db, chain.eid, block.number, whyReverted !== null),
    one_provider: isAlone,
    block_number: block?.number ?? null,
    time: block && isoTime(block.time * 1_000),
    from,
    to,
    value: formatUnits(value, chain.nativeDecimals),
    value_raw: value.toString(),
    fee: feePaid === null ? null : formatUnits(feePaid, chain.nativeDecimals),
    fee_raw: feePaid === null ? null : feePaid.toString(),
    error: whyReverted && (await whyReverted()),
    calls: calls.map(({ to: called, function: name, args }) => ({ ...placeOf(called), function: name, args })),
    events: events.map(({ address, logIndex, event, args }) => ({
      ...placeOf(address),
      log_index: logIndex,
      event,
      args,
    })),
    other_events: otherEvents,
    explorer_url: explorer === null ? null : `${explorer}/tx/${hash}`,
  };
});

const statusIn = async (db: Db, eid: Eid, blockNumber: number, reverted: boolean) => {
  const row = await db.selectFrom('chain').select('finalized').where('eid', '=', eid).executeTakeFirst();
  const isFinal = row !== undefined && blockNumber <= row.finalized;
  if (reverted) return isFinal ? ('failed' as const) : ('reverted' as const);
  return isFinal ? ('final' as const) : ('mined' as const);
};

/** Ids of those addresses that are tokens here, by address; of any home. */
const tokensAt = async (db: Db, eid: Eid, addresses: readonly Address[]): Promise<ReadonlyMap<Address, string>> => {
  const asked = [...new Set(addresses)];
  const at = (table: 'token' | 'remote_token') =>
    db.selectFrom(table).select(['address', 'token_id']).where('eid', '=', eid).where(oneOf('address', asked));
  const rows = await at('token').unionAll(at('remote_token')).execute();
  return new Map(rows.map((row) => [row.address, row.token_id]));
};

type Contract = AnswerOf<'getTransaction'>['events'][number]['contract'];

const contractAt = ({ deployment }: ChainContext, tokens: ReadonlyMap<Address, string>, address: Address): Contract => {
  if (tokens.has(address)) return 'token';
  switch (address) {
    case deployment.launchpad:
      return 'launchpad';
    case deployment.tokenBridge:
      return 'token bridge';
    case deployment.tokenFactory:
      return 'token factory';
    case deployment.usd:
      return 'dollar token';
    case deployment.poolManager:
      return 'exchange';
    default:
      return 'other';
  }
};

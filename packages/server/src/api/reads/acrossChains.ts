import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CrossedSupply,
  chainByEid,
  crossedSupplies,
  type Eid,
  formatUnits,
  isConstant,
  type Slug,
  type SupplyReading,
  tokenDecimals,
} from '@mintage/protocol';
import type { AnswerOf } from '@mintage/protocol/operations';
import type { Log } from '../../log.ts';
import type { Reading } from '../tokens/reading.ts';
import type { Paging } from './tokenEvents.ts';

type AcrossChains = AnswerOf<'solvency'>['acrossChains'];

/**
 * Readings of two chains are never of one moment: a token may leave between them, and seem to be too many. What is wrong
 * stays wrong, so it is believed when it is read again and again.
 */
const readings = 3;
const pauseMs = 700;

/** Every token that crossed between the served chains, from nothing but the chains. */
export const readAcrossChains = async (
  context: Reading & { log: Log },
  { limit, offset }: Paging,
): Promise<AcrossChains> => {
  let read = await readAll(context);
  let tokens = crossedSupplies(read);
  for (let again = 1; again < readings && !tokens.every(isConstant); again += 1) {
    await sleep(pauseMs);
    read = await readAll(context);
    tokens = crossedSupplies(read);
  }
  return {
    constant: tokens.every(isConstant),
    chains: read.map(({ eid }) => slugOf(eid)),
    tokenCount: tokens.length,
    tokens: tokens.slice(offset, offset + limit).map(describe),
  };
};

/** Of the chains that answer and have a bridge. */
const readAll = async ({ chains, log }: Reading & { log: Log }): Promise<SupplyReading[]> => {
  const all = await Promise.all(
    Array.from(chains.values(), async ({ chain, client }) => {
      try {
        return (await client.bridge?.supplies()) ?? null;
      } catch (err) {
        log.warn({ err, chain: chain.slug }, 'The supplies could not be read.');
        return null;
      }
    }),
  );
  return all.filter((one) => one !== null);
};

const describe = (one: CrossedSupply): AcrossChains['tokens'][number] => ({
  token: one.token,
  home: slugOf(one.home),
  constant: isConstant(one),
  homeSupply: whole(one.homeSupply),
  homeSupplyRaw: one.homeSupply.toString(),
  inFlight: whole(one.inFlight),
  inFlightRaw: one.inFlight.toString(),
  gapRaw: one.gap.toString(),
  away: one.away.map(({ eid, out, supply }) => ({
    chain: slugOf(eid),
    out: whole(out),
    outRaw: out.toString(),
    supply: supply === null ? null : whole(supply),
    supplyRaw: supply === null ? null : supply.toString(),
  })),
});

const whole = (amount: bigint): string => formatUnits(amount, tokenDecimals);
const slugOf = (eid: Eid): Slug => chainByEid(eid)?.slug as Slug;

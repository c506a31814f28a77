import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CrossedSupply,
  chainByEid,
  type Eid,
  formatUnits,
  isConstant,
  type Slug,
  type SupplyReading,
  settledSupplies,
  tokenDecimalsAt,
} from '@mintage/protocol';
import type { AnswerOf } from '@mintage/protocol/operations';
import type { Log } from '../../log.ts';
import type { Reading } from '../tokens/reading.ts';
import type { Paging } from './tokenEvents.ts';

type AcrossChains = AnswerOf<'solvency'>['acrossChains'];

/** Every token that crossed between the served chains, from nothing but the chains. */
export const readAcrossChains = async (
  context: Reading & { log: Log },
  { limit, offset }: Paging,
): Promise<AcrossChains> => {
  const { readings, tokens } = await settledSupplies(() => readAll(context), sleep);
  return {
    constant: tokens.every(isConstant),
    chains: readings.map(({ eid }) => slugOf(eid)),
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

const describe = (one: CrossedSupply): AcrossChains['tokens'][number] => {
  const whole = (amount: bigint): string => formatUnits(amount, tokenDecimalsAt(one.home));
  return {
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
  };
};

const slugOf = (eid: Eid): Slug => chainByEid(eid)?.slug as Slug;

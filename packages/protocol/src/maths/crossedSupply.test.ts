import { describe, expect, it } from 'vitest';
import type { Eid } from '../chains/chains.ts';
import { crossedSupplies, isConstant, type ReadSupply } from './crossedSupply.ts';

const [home, far, third] = [1, 2, 3] as Eid[] as [Eid, Eid, Eid];
const token = '0x00000000000000000000000000000000000000aa';
const made = 10n ** 27n;

const at = (supply: bigint, out: readonly [Eid, bigint][] = []): ReadSupply => ({
  token,
  home,
  supply,
  out: new Map(out),
});
const only = (...readings: [Eid, ReadSupply | null][]) => {
  const found = crossedSupplies(
    readings.map(([eid, one]) => ({ eid, tokenDecimals: 18, tokens: one === null ? [] : [one] })),
  );
  expect(found).toHaveLength(1);
  const [first] = found as [(typeof found)[number]];
  return { ...first, constant: isConstant(first) };
};

describe('crossedSupplies', () => {
  it('default: what is out is elsewhere, or on its way', () => {
    const out: [Eid, bigint][] = [
      [far, 60n],
      [third, 5n],
    ];
    const all = only([home, at(made - 65n, out)], [far, at(50n)], [third, null]);
    expect(all).toMatchObject({ homeSupply: made - 65n, inFlight: 15n, gap: 0n, constant: true });
    expect(all.away).toEqual([
      { eid: far, out: 60n, supply: 50n },
      { eid: third, out: 5n, supply: 0n },
    ]);
  });

  it('error: one unit too many anywhere is told', () => {
    expect(only([home, at(made - 60n, [[far, 60n]])], [far, at(60n)]).constant).toBe(true);
    expect(only([home, at(made - 60n, [[far, 60n]])], [far, at(61n)])).toMatchObject({
      inFlight: -1n,
      constant: false,
    });
    expect(only([home, at(made - 59n, [[far, 60n]])], [far, at(60n)])).toMatchObject({ gap: 1n, constant: false });
    expect(only([home, at(made - 61n, [[far, 60n]])], [far, at(60n)])).toMatchObject({ gap: -1n, constant: false });
  });

  it('error: what another chain minted of a token that never left its home', () => {
    expect(only([home, null], [far, at(1n)])).toMatchObject({ homeSupply: made, inFlight: -1n, constant: false });
  });

  it('behavior: a chain that was not read is neither right nor wrong', () => {
    const all = only([home, at(made - 60n, [[far, 60n]])]);
    expect(all).toMatchObject({ away: [{ eid: far, out: 60n, supply: null }], inFlight: 0n, constant: true });
    expect(crossedSupplies([{ eid: far, tokenDecimals: 18, tokens: [at(1n)] }])).toEqual([]);
  });
});

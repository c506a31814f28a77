import { MintageError } from '@mintage/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePrepared, type Transaction } from './decodePrepared.ts';
import { contracts, type Prepared, type Request, request } from './requests.ts';

/** `CASES` and `SEED` in the environment make it long and repeat it: `CASES=1000000` for a release. */
const cases = Number(process.env.CASES ?? 5_000);
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);

/** The answer, or null when the service refuses: the amount does not fit the market. */
const preparedOf = async ({ prepare }: Request): Promise<Prepared | null> => {
  try {
    return await prepare();
  } catch (error) {
    if (error instanceof MintageError && error.kind.status === 400) return null;
    throw error;
  }
};

/** Whether the decoder sees that these are not the transactions of this request. */
const isNoticed = (transactions: readonly Transaction[], { meaning }: Prepared): boolean => {
  try {
    expect(decodePrepared(transactions, contracts)).toEqual(meaning);
    return false;
  } catch {
    return true;
  }
};

describe('decodePrepared', () => {
  it('W8 decode(prepare(x)) = x for random requests of every kind, by a decoder that shares nothing with the service', async () => {
    console.log(`decode(prepare(x)) = x: SEED=${seed} CASES=${cases}`);
    const seen: Record<string, number> = {};
    await fc.assert(
      fc.asyncProperty(request, async (asked) => {
        const prepared = await preparedOf(asked);
        const kind = prepared?.meaning.does ?? 'refused';
        seen[kind] = (seen[kind] ?? 0) + 1;
        if (prepared && 'voucher' in prepared.meaning && prepared.meaning.voucher)
          seen.withVoucher = (seen.withVoucher ?? 0) + 1;
        if (prepared) expect(decodePrepared(prepared.transactions, contracts)).toEqual(prepared.meaning);
      }),
      { numRuns: cases, seed },
    );
    console.log(seen);
    expect(seen.refused ?? 0).toBeLessThan(cases / 10);
    for (const kind of ['trade', 'create', 'claim', 'mint', 'withVoucher'])
      expect(seen[kind], kind).toBeGreaterThan(cases / 20);
  });

  it('W8 each changed field is noticed: any bit of any word, the contract, the chain, coins, the order of the calls', async () => {
    const changes = Math.ceil(cases / 10);
    console.log(`each changed field: SEED=${seed} CASES=${changes}`);
    let noticed = 0;
    await fc.assert(
      fc.asyncProperty(request, fc.nat({ max: 255 }), async (asked, bit) => {
        const prepared = await preparedOf(asked);
        if (!prepared) return;
        for (const changed of changesOf(prepared.transactions, bit)) {
          if (!isNoticed(changed, prepared)) expect(changed, 'a change that the decoder does not see').toBeNull();
          noticed += 1;
        }
      }),
      { numRuns: changes, seed },
    );
    console.log(`${noticed} changes noticed`);
    expect(noticed).toBeGreaterThan(changes * 8);
  });

  it('error: no transaction', () => {
    expect(() => decodePrepared([], contracts)).toThrow('no transaction');
  });
});

const wordDigits = 64;

/** Every field of every transaction changed, one at a time; in a word of the call, the bit of that number. */
function* changesOf(transactions: readonly Transaction[], bit: number): Generator<Transaction[]> {
  for (const [index, { data, to, value, chainId }] of transactions.entries()) {
    const changed = (change: Partial<Transaction>): Transaction[] =>
      transactions.map((one, at) => (at === index ? { ...one, ...change } : one));
    const flipped = (start: number, end: number): Transaction[] => {
      const at = start + (Math.floor(bit / 4) % (end - start));
      const digit = (Number.parseInt(data.charAt(at), 16) ^ (1 << (bit % 4))).toString(16);
      return changed({ data: data.slice(0, at) + digit + data.slice(at + 1) });
    };
    yield flipped(2, 10);
    for (let start = 10; start < data.length; start += wordDigits)
      yield flipped(start, Math.min(start + wordDigits, data.length));
    yield changed({ data: `${data}00` });
    yield changed({ data: data.slice(0, -2) });
    yield changed({ to: `${to.slice(0, -1)}${to.endsWith('0') ? '1' : '0'}` });
    for (const { launchpad, usd } of contracts)
      if (usd !== to) yield changed({ to: to === launchpad ? usd : launchpad });
    yield changed({ value: value === '0' ? '1' : '0' });
    const other = contracts.find((one) => !String(chainId).endsWith(String(one.chainId)));
    yield changed({ chainId: other?.chainId ?? 1 });
    yield transactions.filter((_, at) => at !== index);
  }
  if (transactions.length > 1) yield transactions.toReversed();
  yield [...transactions, ...transactions];
}

import { type Address, curveOf, poolTypeBySlug, quoteCurve, type TradeKind } from '@mintage/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { MadeUpChain, NotTakenError } from './madeUpChain.ts';
import { decimals, deployment, fee, tokenAddress } from './program.ts';
import { addressOf, type Bytes, type Deed, decode, encode, newSecret, signWith } from './transaction.ts';

const secret = newSecret();
const wallet = addressOf(secret);
const salt = `0x${'5'.repeat(64)}` as const;
const token = tokenAddress(wallet, salt);
const deadline = 2 ** 40;
const million = 10n ** 12n;

const creation: Deed = { do: 'create', name: 'Coin', symbol: 'C', uri: '', salt, poolType: 9, deadline };
const order = (kind: TradeKind, amount: bigint, limit: bigint): Deed => {
  const people = { recipient: wallet, builder: null, referral: null };
  return { do: 'trade', kind, token, amount, limit, deadline, ...people };
};

describe('MadeUpChain', () => {
  let chain: MadeUpChain;

  const signed = (...does: Deed[]): Bytes =>
    signWith(secret, { from: wallet, validUntil: chain.head.height + 10, does }).raw;
  /** Sends, produces a block, and tells why it failed. */
  const send = (...does: Deed[]): string | undefined => {
    const id = chain.submit(signed(...does));
    chain.produce();
    return chain.find(id)?.error?.code;
  };
  const dollars = (): bigint => chain.head.books.dollars.get(wallet) ?? 0n;
  const tokens = (): bigint => chain.head.books.tokens.get(token)?.holdings.get(wallet) ?? 0n;

  beforeEach(() => {
    chain = new MadeUpChain(1_000);
    chain.fund(wallet, 100n * fee);
    send({ do: 'mintUsd', to: wallet, amount: million });
    send(creation);
    chain.produce(10);
  });

  it('default: fills as protocol quotes, to the base unit', () => {
    const terms = { feeBps: 100n, builderBps: 0n, hasReferral: false, hasReferrer: false };
    const untouched = curveOf(poolTypeBySlug('test'), decimals);
    const bought = quoteCurve(untouched, { kind: 'buyExactIn', amount: 40_000_001n, ...terms });
    expect(send(order('buyExactIn', 40_000_001n, bought.amountOut))).toBeUndefined();
    expect([tokens(), dollars()]).toEqual([bought.tokens, million - bought.grossUsd]);
    const sold = quoteCurve(bought.after, { kind: 'sellExactIn', amount: bought.tokens / 3n, ...terms });
    expect(send(order('sellExactIn', bought.tokens / 3n, sold.amountOut))).toBeUndefined();
    expect(dollars()).toBe(million - bought.grossUsd + sold.netUsd);
    expect(send(order('buyExactIn', 1_000_000n, 2n ** 100n))).toBe('SLIPPAGE_EXCEEDED');
  });

  it('behavior: a sold-out curve says so and opens no pool', () => {
    expect(send(order('buyExactIn', million, 0n))).toBeUndefined();
    expect(chain.head.events.map(({ name }) => name)).toEqual(['Transfer', 'Trade', 'Completed']);
    expect(send(order('buyExactIn', million / 2n, 0n))).toBe('BEYOND_CURVE');
    expect(send({ do: 'graduate', token })).toBe('TRANSACTION_FAILED');
  });

  it('behavior: a transaction does all or nothing, but pays', () => {
    const { coins } = chain.head.books;
    const before = coins.get(wallet) ?? 0n;
    const stranger: Address = deployment.owner;
    const failing: Deed = { do: 'transfer', token, to: stranger, amount: 1n };
    expect(send({ do: 'mintUsd', to: stranger, amount: 5n }, failing)).toBe('INSUFFICIENT_BALANCE');
    expect(chain.head.books.dollars.get(stranger)).toBeUndefined();
    expect(chain.head.books.coins.get(wallet)).toBe(before - fee);
  });

  it('error: a replay, old bytes and forged ones are not taken', () => {
    const raw = signed({ do: 'mintUsd', to: wallet, amount: 7n });
    chain.submit(raw);
    expect(() => chain.submit(raw)).toThrow(NotTakenError);
    chain.produce();
    expect(() => chain.submit(raw)).toThrow('was seen before');
    const late = signed({ do: 'mintUsd', to: wallet, amount: 8n });
    for (let i = 0; i < 10; i += 1) chain.produce();
    expect(() => chain.submit(late)).toThrow('is too old');
    const forged: Bytes = `0x${raw.slice(2, -2)}${raw.endsWith('00') ? '01' : '00'}`;
    expect(() => chain.submit(forged)).toThrow('The signature is not one of');
    expect(dollars()).toBe(million + 7n);
  });

  it('error: bytes that the encoder does not give are not read', () => {
    const data = encode({ from: wallet, validUntil: 1, does: [{ do: 'graduate', token }] });
    expect(encode(decode(data))).toBe(data);
    const spaced: Bytes = `0x${Buffer.from(` ${Buffer.from(data.slice(2), 'hex')}`).toString('hex')}`;
    expect(() => decode(spaced)).toThrow('no transaction');
    expect(() => decode('0x00')).toThrow('no transaction');
  });

  it('behavior: a reorganisation restores the books, forgets what was sent, and stops at what is final', () => {
    const before = structuredClone(chain.head.books);
    const { height, hash } = chain.head;
    const raw = signed(order('buyExactIn', 5_000_000n, 0n));
    const id = chain.submit(raw);
    chain.produce();
    chain.produce();
    expect(chain.head.books).not.toEqual(before);
    const replaced = chain.head.hash;
    chain.reorg(2);
    expect(chain.head).toMatchObject({ height: height + 2, books: before });
    expect(chain.head.hash).not.toBe(replaced);
    expect(chain.block(height + 1)?.parent).toBe(hash);
    expect(chain.find(id)).toBeUndefined();
    chain.submit(raw);
    chain.produce();
    expect(chain.find(id)?.block?.height).toBe(height + 3);
    expect(chain.finalized).toBe(height);
    expect(() => chain.reorg(4)).toThrow('is final');
  });
});

import { type Address, encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTradeWorld, type TradeWorld, tradeOf } from './trade/tradeWorld.ts';

type Who = 'alice' | 'bob' | 'carol';
const slug = 'base-sepolia';

/** The books of one wallet as a person would keep them: average cost, shares of a cost rounded down for who gives. */
interface Book {
  held: bigint;
  cost: bigint;
  realised: bigint;
  bought: bigint;
  sold: bigint;
}

/** USD of six decimals. */
const dollars = (amount: bigint): number => Number(amount) / 1e6;

/** Reads of accounts on a real chain, compared with books that this test keeps from the receipts alone. */
describe('accounts on a chain', () => {
  let world: TradeWorld;
  let token: Address;
  let tokenId: string;
  const bearers = new Map<Who, string>();
  const books = new Map<Who, Book>();
  const trades: { who: Who; side: 'buy' | 'sell'; hash: Hex }[] = [];

  const book = (who: Who): Book => {
    const known = books.get(who) ?? { held: 0n, cost: 0n, realised: 0n, bought: 0n, sold: 0n };
    books.set(who, known);
    return known;
  };
  const addressOf = (who: Who): Address => world.chain(slug).accounts[who].address.toLowerCase() as Address;

  const trade = async (who: Who, body: object): Promise<bigint> => {
    const answer = await world.trade(slug, who, { tokenId, ...body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const receipt = await world.send(slug, who, answer);
    const { record } = tradeOf(receipt);
    const mine = book(who);
    if (record.side === 'buy') {
      mine.held += record.tokens;
      mine.cost += record.grossUsd;
      mine.bought += record.grossUsd;
    } else {
      const share = (mine.cost * record.tokens) / mine.held;
      const net = record.grossUsd - record.fees.total;
      mine.held -= record.tokens;
      mine.cost -= share;
      mine.realised += net - share;
      mine.sold += net;
    }
    trades.push({ who, side: record.side, hash: receipt.transactionHash });
    return record.tokens;
  };

  const give = async (from: Who, to: Who, amount: bigint): Promise<void> => {
    const { wallet, accounts } = world.chain(slug);
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [addressOf(to), amount] });
    await wallet.send(accounts[from], { to: token, data });
    const [giver, taker] = [book(from), book(to)];
    const share = (giver.cost * amount) / giver.held;
    giver.held -= amount;
    giver.cost -= share;
    taker.held += amount;
    taker.cost += share;
  };

  beforeAll(async () => {
    world = await startTradeWorld();
    for (const who of ['alice', 'bob', 'carol'] as const) {
      await world.fund(slug, who, 10_000n);
      bearers.set(who, await world.signIn(world.chain(slug).accounts[who]));
    }
    const created = await world.create(slug, 'alice', { poolType: 'test' });
    token = created.address;
    tokenId = created.tokenId;
    await world.chain(slug).advance(10);
    const bought = await trade('bob', { direction: 'buy', buyAmountUSD: 100 });
    await trade('carol', { direction: 'buy', buyAmountUSD: 30 });
    await trade('bob', { direction: 'sell', sellAmountToken: (bought / 3n).toString() });
    await give('bob', 'carol', bought / 7n);
    // Ends the curve.
    await trade('carol', { direction: 'buy', buyAmountUSD: 1_000 });
    await trade('carol', { direction: 'sell', sellAmountToken: (bought / 5n).toString() });
    await trade('bob', { direction: 'sell', sellAmountToken: book('bob').held.toString() });
    await world.indexed();
  });
  afterAll(() => world?.stop());

  const ask = async (who: Who | null, name: Parameters<TradeWorld['call']>[0], body: object) => {
    const answer = await world.call(name, body, { bearer: who === null ? undefined : bearers.get(who) });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  };
  const read = async (to: Address, abi: readonly string[], functionName: string, args: unknown[]): Promise<bigint> => {
    const parsed = parseAbi(abi as never) as never;
    const data = encodeFunctionData({ abi: parsed, functionName, args } as never);
    return BigInt((await world.chain(slug).rpc('eth_call', [{ to, data }, 'latest'])) as Hex);
  };
  const balanceOf = (of: Address, who: Who) =>
    read(of, ['function balanceOf(address) view returns (uint256)'], 'balanceOf', [addressOf(who)]);

  it.each(['bob', 'carol'] as const)('the profit and loss of %s is that of the books', async (who) => {
    const { data } = await ask(who, 'getUserPnl', {});
    const mine = book(who);
    expect(await balanceOf(token, who)).toBe(mine.held);
    const [position] = data.tokens;
    expect(data.tokens).toHaveLength(1);
    expect([position.balanceRaw, position.tokenId]).toEqual([mine.held.toString(), tokenId]);
    expect([position.costUsd, position.realisedUsd, position.boughtUsd, position.soldUsd].map(Number)).toEqual(
      [mine.cost, mine.realised, mine.bought, mine.sold].map(dollars),
    );
    expect([data.costUsd, data.realisedUsd]).toEqual([position.costUsd, position.realisedUsd]);
    expect(Number(position.valueUsd)).toBeCloseTo((Number(mine.held) / 1e18) * Number(position.priceUsd), 6);
    expect(Number(position.unrealisedUsd)).toBeCloseTo(Number(position.valueUsd) - Number(position.costUsd), 9);
  });

  it('bob sold out: in the profit, not in the portfolio', async () => {
    expect(book('bob').held).toBe(0n);
    expect((await ask('bob', 'getUserPortfolio', {})).data).toEqual({
      tokens: [],
      totalValueUsd: 0,
      totalTokensCount: 0,
    });
    const { data } = await ask('carol', 'getUserPortfolio', {});
    expect(data.tokens[0].chainBalances[0].balance).toBe(book('carol').held.toString());
    expect((await ask('carol', 'getUserBalance', { token_id: tokenId })).data.balances[0].balance).toBe(
      book('carol').held.toString(),
    );
  });

  it('the holders are those whom the chain says, the venue is none', async () => {
    const { holders, pagination } = await ask('carol', 'getTokenHolders', { token_id: token });
    expect(pagination.total).toBe(1);
    expect(holders).toEqual([
      expect.objectContaining({
        rank: 1,
        wallet: addressOf('carol'),
        balance_raw: book('carol').held.toString(),
        is_creator: false,
      }),
    ]);
    expect(Number(holders[0].cost_usd)).toBe(dollars(book('carol').cost));
    for (const who of ['alice', 'bob', 'carol'] as const) {
      const owns = await ask(null, 'checkTokenOwnership', { token_id: tokenId, user_address: addressOf(who) });
      expect([who, owns.balance_raw]).toEqual([who, (await balanceOf(token, who)).toString()]);
    }
  });

  it('the leaderboard, the fees and their history are what the Launchpad credited', async () => {
    const { launchpad, usd } = world.chain(slug).deployment;
    const creditOf = ['function creditOf(address currency, address account) view returns (uint256)'];
    const credited = await read(launchpad, creditOf, 'creditOf', [usd, addressOf('alice')]);
    expect(credited).toBeGreaterThan(0n);
    for (const period of ['all', '7d']) {
      const { leaderboard, pagination } = await ask(null, 'getLeaderboard', { period });
      expect(leaderboard).toEqual([
        expect.objectContaining({
          rank: 1,
          recipient_address: addressOf('alice'),
          user_id: expect.any(String),
          total_earned_all_tokens: dollars(credited),
          chain_balances: [{ chain: slug, balance: dollars(credited) }],
        }),
      ]);
      expect(pagination.total).toBe(1);
    }
    const fees = await ask('alice', 'getUserFees', {});
    expect(fees.balances[0].claimable_amount).toBe(credited.toString());
    const { distributions, total_count } = await ask('alice', 'getUserFeeHistory', {});
    expect(total_count).toBe(distributions.length);
    const sum = distributions.reduce((total: bigint, { amount }: { amount: string }) => total + BigInt(amount), 0n);
    expect(sum).toBe(credited);
    expect(distributions[0].token.id).toBe(tokenId);
  });

  it('the trades of a wallet are those that it sent, newest first, and its volume is theirs', async () => {
    for (const who of ['bob', 'carol'] as const) {
      const { activities } = await ask(null, 'getWalletTrades', { wallet: addressOf(who) });
      const own = trades.filter((one) => one.who === who).toReversed();
      expect(
        activities.map((row: { evt_tx_hash: string; trade_type: string }) => [row.evt_tx_hash, row.trade_type]),
      ).toEqual(own.map(({ hash, side }) => [hash, side]));
      const gross = activities.reduce(
        (total: bigint, { usd_amount_raw }: { usd_amount_raw: string }) => total + BigInt(usd_amount_raw),
        0n,
      );
      const { data } = await ask(who, 'me', { include_testnets: true });
      expect(Number(data.referral.tradedVolumeUsd)).toBe(dollars(gross));
    }
  });

  it('/me shows what the chain says of all wallets', async () => {
    const { rpc, deployment } = world.chain(slug);
    const heldBy = async (wallets: Address[]) => {
      const balances = await Promise.all(
        wallets.map(async (wallet) => {
          const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [wallet] });
          const usd = (await rpc('eth_call', [{ to: deployment.usd, data }, 'latest'])) as Hex;
          return [BigInt((await rpc('eth_getBalance', [wallet, 'latest'])) as Hex), BigInt(usd)] as const;
        }),
      );
      return [0, 1].map((kind) => balances.reduce((sum, pair) => sum + (pair[kind] as bigint), 0n).toString());
    };
    // Bob's new embedded wallet is being filled.
    const meAndChain = async () => {
      const { data } = await ask('bob', 'me', { include_testnets: true });
      const here = data.balances.find((one: { chainSlug: string }) => one.chainSlug === slug);
      const held = await heldBy(data.wallets.map(({ address }: { address: Address }) => address));
      return { said: [here.native.balanceRaw, here.usd.balanceRaw], held };
    };
    await expect
      .poll(async () => {
        const { said: balances, held } = await meAndChain();
        return balances.join() === held.join() ? 'equal' : `${balances} for ${held}`;
      })
      .toBe('equal');
    expect((await ask('bob', 'me', { include_testnets: false })).data.balances).toEqual([]);
  });
});

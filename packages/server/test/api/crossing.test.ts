import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { layerZeroOf, localCoinUsd, localConfirmations } from '@mintage/devnet';
import { until } from '@mintage/devnet/until';
import { formatUnits, layerZeroPriceAbi, MintageError, tokenBridgeAbi } from '@mintage/protocol';
import { type Address, encodeFunctionData, erc20Abi, type Hex, numberToHex, pad, parseAbi } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, onePixel, startTradeWorld, type TradeWorld, type WorldSlug } from './trade/tradeWorld.ts';

const home = 'base-sepolia';
const far = 'bnb-testnet';
const oneToken = 10n ** 18n;

const script = fileURLToPath(new URL('../../../../scripts/solvency.ts', import.meta.url));

/** Tokens between two chains through the API, with real messages. */
describe('tokens across chains', () => {
  let world: TradeWorld;
  let tokenId: string;
  let token: Address;
  let alice: Address;
  let bearer: string;

  const ask = async (body: object): Promise<Answer['body']> => {
    const text = { name: 'Wide Coin', symbol: 'TEST', description: 'It is everywhere.', image: onePixel };
    const asked = { ...text, chainSlug: home, userAddress: alice, ...body };
    const answer = await world.call('createTokenTransaction', asked, { bearer });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  };

  beforeAll(async () => {
    world = await startTradeWorld();
    const { accounts } = world.chain(home);
    alice = accounts.alice.address.toLowerCase() as Address;
    bearer = world.bearer;
    await world.fund(home, 'alice', 100_000n);
    // Only the creation itself: the first transfer is to deploy it.
    const created = await ask({ destinationChains: [far] });
    await world.send(home, 'alice', { body: { transactions: created.transactions.slice(0, -1) } });
    tokenId = created.metadata.tokenId;
    token = created.metadata.addresses.evm;
    await world.chain(home).advance(10);
    await world.indexed();
    const bought = await world.trade(home, 'alice', { tokenId, direction: 'buy', buyAmountUSD: 1_000 });
    expect(bought.status, JSON.stringify(bought.body)).toBe(200);
    await world.send(home, 'alice', bought);
    await world.indexed();
  });
  afterAll(() => world?.stop());

  const transfer = (from: WorldSlug, to: WorldSlug, amount: string, more: object = {}): Promise<Answer> =>
    world.call(
      'transferToken',
      {
        token_id: tokenId,
        recipient_address: alice,
        amount,
        from_chain_slug: from,
        to_chain_slug: to,
        wallet_address: alice,
        ...more,
      },
      { bearer },
    );
  const statusOf = async (input: object): Promise<Answer['body']> => {
    const { status, body } = await world.call('transactionStatus', input, { bearer });
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  const balanceOn = async (slug: WorldSlug, wallet: Address): Promise<bigint> => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [wallet] });
    const answer = (await world.chain(slug).rpc('eth_call', [{ to: token, data }, 'latest'])) as Hex;
    return answer === '0x' ? 0n : BigInt(answer);
  };
  /** Mines until the message that left with this transaction is as far as `state`. */
  const becomes = (slug: WorldSlug, hash: Hex, state: string): Promise<Answer['body']> =>
    until(async () => {
      await world.chain(slug).rpc('anvil_mine', ['0x1']);
      await world.indexed();
      const body = await statusOf({ hash, chainSlug: slug });
      return body.delivery?.state === state && body;
    });

  it('default: there and back at the same address, each with its fee, its delivery and its rows', async () => {
    const asked = await transfer(home, far, '100.0000005');
    expect(asked.status, JSON.stringify(asked.body)).toBe(200);
    const { metadata, transaction, warnings } = asked.body;
    expect(metadata).toMatchObject({
      crossChain: true,
      amount: '100.0000005',
      amountReceived: '100',
      amountKept: '0.0000005',
      dstEid: world.chain(far).chain.eid,
      registersToken: true,
      guid: null,
      estimatedSeconds: 60 + localConfirmations * ((world.chain(home).chain.blockTimeMs ?? 0) / 1_000),
    });
    expect(warnings).toEqual([]);
    expect(transaction.value).toBe(metadata.nativeFeeMax);
    expect(BigInt(metadata.nativeFeeMax)).toBe((BigInt(metadata.nativeFee) * 11n + 9n) / 10n);
    const oneMicroDollar = 10n ** 12n / localCoinUsd; // in wei
    expect(metadata.nativeFeeUsd).toBe(
      formatUnits((BigInt(metadata.nativeFee) + oneMicroDollar - 1n) / oneMicroDollar, 6),
    );

    const { rpc } = world.chain(home);
    const before = await balanceOn(home, alice);
    const coins = BigInt((await rpc('eth_getBalance', [alice, 'latest'])) as Hex);
    const { transactionHash, gasUsed } = await world.send(home, 'alice', asked);
    expect(await balanceOn(home, alice)).toBe(before - 100n * oneToken);
    const paid = coins - BigInt((await rpc('eth_getBalance', [alice, 'latest'])) as Hex);
    const receipt = (await rpc('eth_getTransactionReceipt', [transactionHash])) as { effectiveGasPrice: Hex };
    expect(paid - gasUsed * BigInt(receipt.effectiveGasPrice)).toBe(BigInt(metadata.nativeFee));
    await world.indexed();
    const sent = await statusOf({ hash: transactionHash, chainSlug: home });
    expect(sent.delivery.confirmationsLeft).toBeLessThanOrEqual(localConfirmations);
    expect(sent.delivery).toMatchObject({ state: 'sent', fromChain: home, toChain: far, attempts: 0, hash: null });

    const { delivery } = await becomes(home, transactionHash, 'delivered');
    expect(await balanceOn(far, alice)).toBe(100n * oneToken);
    expect((await statusOf({ guid: delivery.guid, chainSlug: home })).delivery).toEqual(delivery);

    const back = await transfer(far, home, '40');
    expect(back.body.metadata, JSON.stringify(back.body)).toMatchObject({ registersToken: false, toChain: home });
    const returned = await world.send(far, 'alice', back);
    await world.indexed();
    await becomes(far, returned.transactionHash, 'delivered');
    expect(await balanceOn(far, alice)).toBe(60n * oneToken);
    expect(await balanceOn(home, alice)).toBe(before - 60n * oneToken);
  });

  it('behavior: every read shows what is on both chains', async () => {
    const read = async (name: Parameters<typeof world.call>[0], input: object): Promise<Answer['body']> => {
      const { status, body } = await world.call(name, input, { bearer });
      expect(status, JSON.stringify(body)).toBe(200);
      return body;
    };
    const [homeEid, farEid] = [world.chain(home).chain.eid, world.chain(far).chain.eid];
    const about = (await read('getTokenAbout', { token_id: tokenId })).token;
    const there = about.token_addresses.find(({ chain }: { chain: string }) => chain === far);
    expect(there).toMatchObject({ address: token, eid: farEid, is_registered: true, registration: 'registered' });
    expect(
      about.registered_chains.map(({ chain, source_events }: Record<string, unknown>) => [chain, source_events]),
    ).toEqual([
      [home, ['registry_token_created']],
      [far, ['registry_token_registered']],
    ]);

    const { activities } = await read('getTokenTransfers', { token_id: tokenId });
    // Each chain in its own order: their clocks are not one.
    const crossings = (slug: string) =>
      activities
        .filter(({ chain }: { chain: string }) => chain === slug)
        .map((row: Record<string, string>) => [row.transfer_type, row.amount]);
    expect(activities).toHaveLength(4);
    expect(crossings(home)).toEqual([
      ['oft_received', '40'],
      ['oft_sent', '100'],
    ]);
    expect(crossings(far)).toEqual([
      ['oft_sent', '40'],
      ['oft_received', '100'],
    ]);
    const of = (type: string, amount: string) =>
      activities.find((row: Record<string, string>) => row.transfer_type === type && row.amount === amount);
    const left = of('oft_sent', '100');
    expect(left).toMatchObject({ from_address: alice, to_address: alice, amount_received_ld: '100' });
    expect([left.src_eid, left.dst_eid]).toEqual([String(homeEid), String(farEid)]);
    expect(left.guid).toBe(of('oft_received', '100').guid);
    const paged = await read('getTokenTransfers', { token_id: tokenId, limit: 2, offset: 1 });
    expect(paged.activities).toEqual(activities.slice(1, 3));
    const all = (await read('getTokenActivity', { token_id: tokenId })).activities;
    const kinds = all.map((row: Record<string, string>) => `${row.chain} ${row.activity_subtype}`);
    for (const slug of [home, far])
      expect(kinds).toEqual(expect.arrayContaining([`${slug} cross_chain_sent`, `${slug} cross_chain_received`]));
    expect(new Set(all.map(({ pk }: { pk: string }) => pk)).size).toBe(all.length);

    const { data } = await read('getUserPortfolio', {});
    const held = data.tokens.find((one: { tokenId: string }) => one.tokenId === tokenId);
    const balances = held.chainBalances.map((row: Record<string, string>) => [row.chainSlug, row.balance]);
    expect(balances.toSorted()).toEqual(
      [
        [home, String(await balanceOn(home, alice))],
        [far, String(60n * oneToken)],
      ].toSorted(),
    );
    expect(held.availableChains).toEqual([home, far]);

    const { facts } = await read('getTokenFacts', { token_id: tokenId });
    const everywhere = (await balanceOn(home, alice)) + (await balanceOn(far, alice));
    expect(facts.creator_holds.value).toMatchObject({ wallet: alice, tokens_raw: `${everywhere}` });
    expect(facts.ten_largest_holders.value).toMatchObject({ wallets: 1, tokens_raw: `${everywhere}` });
    // What is away was burned at home.
    expect(facts.supply.value).toMatchObject({
      total_tokens: '1000000000',
      home_tokens: '999999940',
      elsewhere_tokens: '60',
    });
    expect(facts.contract_code.value.matches).toBe(true);

    const sent = await read('getTransaction', { chainSlug: home, hash: left.evt_tx_hash });
    const crossing = sent.events.find(({ event }: { event: string }) => event === 'TokenSent');
    expect(crossing).toMatchObject({
      contract: 'token bridge',
      args: { token, from: alice, dstEid: `${farEid}`, guid: left.guid },
    });
    const arrived = of('oft_received', '100');
    const received = await read('getTransaction', { chainSlug: far, hash: arrived.evt_tx_hash });
    const minted = received.events.find(({ event }: { event: string }) => event === 'Transfer');
    expect(minted).toMatchObject({ contract: 'token', address: token, token_id: tokenId, args: { to: alice } });
    const abroad = (await read('getUserPortfolio', { chains: [far] })).data;
    expect(abroad.tokens.map((one: { chainBalances: unknown[] }) => one.chainBalances.length)).toEqual([1]);
    const rows = (await read('getUserBalance', { token_id: tokenId })).data.balances;
    expect(rows).toHaveLength(2);

    const { holders } = await read('getTokenHolders', { token_id: tokenId });
    const mine = holders.filter(({ wallet }: { wallet: string }) => wallet === alice);
    expect(mine.map((row: Record<string, string>) => row.chain).toSorted()).toEqual([home, far].toSorted());
    const owned = await read('checkTokenOwnership', { token_id: tokenId, user_address: alice });
    expect(BigInt(owned.balance_raw)).toBe((await balanceOn(home, alice)) + 60n * oneToken);
    const { stats } = await read('getTokenStats', { token_id: tokenId });
    expect(stats.map((row: Record<string, string>) => [row.chain, row.price_usd === stats[0].price_usd])).toEqual([
      [home, true],
      [far, true],
    ]);
    expect(stats[1]).toMatchObject({ holder_count: '1', total_volume_usd: null, last_trade_at: null });
  });

  it('behavior: on the far chain the token moves between wallets like any other', async () => {
    const { bob } = world.chain(far).accounts;
    const sent = await transfer(far, far, '5', { recipient_address: bob.address });
    expect(sent.body.metadata, JSON.stringify(sent.body)).toMatchObject({ crossChain: false, nativeFee: '0' });
    await world.send(far, 'alice', sent);
    expect(await balanceOn(far, bob.address)).toBe(5n * oneToken);
    for (const ref of [tokenId, token]) {
      const traded = await world.trade(far, 'alice', { tokenId: ref, direction: 'sell', sellAmountToken: 1 });
      expect([traded.status, traded.body.code, traded.body.details]).toEqual([400, 'NO_VENUE_ON_CHAIN', { home }]);
    }
  });

  it('behavior: a way whose executor knows no price of the coin has its fee without dollars', async () => {
    const { rpc, wallet, accounts } = world.chain(home);
    const { executor } = layerZeroOf(accounts);
    const asked = { to: executor, data: encodeFunctionData({ abi: layerZeroPriceAbi, functionName: 'priceFeed' }) };
    const feed = `0x${((await rpc('eth_call', [asked, 'latest'])) as Hex).slice(-40)}` as const;
    const setPrice = (dollars: bigint) => {
      const abi = parseAbi(['function setNativeTokenPriceUSD(uint128 price)']);
      const data = encodeFunctionData({ abi, functionName: 'setNativeTokenPriceUSD', args: [dollars * 10n ** 20n] });
      return wallet.send(accounts.layerZero, { to: feed, data });
    };
    const inUsd = async () => (await transfer(home, far, '1')).body.metadata.nativeFeeUsd;
    await setPrice(0n);
    expect(await inUsd()).toBeNull();
    await setPrice(localCoinUsd);
    expect(await inUsd()).toMatch(/^0\.\d{1,6}$/);
  });

  it('error: dust, more than the way takes, a fee above the caller’s, a chain without a route', async () => {
    expect((await transfer(home, far, '0.0000009')).body.code).toBe('AMOUNT_TOO_SMALL');
    const { transactionHash } = await world.send(home, 'alice', await transfer(home, far, '50000000'));
    const limit = await transfer(home, far, '80000000');
    expect([limit.status, limit.body.code]).toEqual([400, 'TRANSFER_LIMIT']);
    const said = /^([\d.]+) TEST can go to bnb-testnet now, all of it in (\d+) s\. /.exec(limit.body.error);
    // Room comes back by the second; the first test's 100 tokens may still count.
    const perSecond = 100_000_000 / 3600;
    expect(Number(said?.[1])).toBeGreaterThanOrEqual(49_999_900);
    expect(Math.abs(Number(said?.[1]) + Number(said?.[2]) * perSecond - 80_000_000)).toBeLessThan(perSecond);
    expect((await transfer(home, far, '100000001')).body.error).toMatch(/at most 100000000 go at once/);
    const dear = await transfer(home, far, '1', { max_native_fee: '1' });
    expect([dear.body.code, dear.body.details[0].path]).toEqual(['NATIVE_FEE_TOO_HIGH', 'max_native_fee']);
    expect((await transfer(home, 'polygon' as WorldSlug, '1')).body.code).toBe('UNSUPPORTED_CHAIN');
    // What is on its way would arrive in the middle of a later test.
    await world.indexed();
    await becomes(home, transactionHash, 'delivered');
  });

  it('X5 a failed delivery is told, and a stranger delivers it with what the status prepared', async () => {
    const { rpc, wallet, accounts, deployment } = world.chain(far);
    const tokenBridge = deployment.tokenBridge as Address;
    const eid = world.chain(home).chain.eid as number;
    const pause = encodeFunctionData({ abi: tokenBridgeAbi, functionName: 'pause', args: [eid] });
    const unpause = encodeFunctionData({ abi: tokenBridgeAbi, functionName: 'unpause', args: [eid] });
    await wallet.send(accounts.guardian, { to: tokenBridge, data: pause });
    const refused = await transfer(far, home, '1');
    expect([refused.status, refused.body.code]).toEqual([503, 'ROUTE_PAUSED']);

    const held = await balanceOn(far, alice);
    const { transactionHash } = await world.send(home, 'alice', await transfer(home, far, '3'));
    await world.indexed();
    const failed = await becomes(home, transactionHash, 'failed');
    expect(failed.delivery).toMatchObject({ reason: `The way to and from ${home} is paused.`, hash: null });
    expect(failed.delivery.attempts).toBeGreaterThan(0);

    // The relayer tries again by itself and would often come first.
    const goOn = await world.relayer.rest();
    await wallet.send(accounts.owner, { to: tokenBridge, data: unpause });
    const { retry } = failed.delivery;
    await wallet.send(accounts.dave, { to: retry.to, data: retry.data, gas: BigInt(retry.gasLimit) }).finally(goOn);
    expect(await balanceOn(far, alice)).toBe(held + 3n * oneToken);
    await rpc('anvil_mine', ['0x1']);
    await becomes(home, transactionHash, 'delivered');
  });

  it('behavior: a token is announced before any of it is sent, once', async () => {
    const other = await world.create(home, 'alice');
    await world.indexed();
    const ask = () =>
      world.call('registerToken', { token_id: other.tokenId, chains: [far], wallet_address: alice }, { bearer });
    const prepared = await ask();
    expect(prepared.status, JSON.stringify(prepared.body)).toBe(200);
    expect(prepared.body.metadata).toMatchObject({ fromChain: home, chains: [{ chain: far }] });
    const registration = async () => {
      const { body } = await world.call('getTokenAbout', { token_id: other.tokenId }, { bearer });
      return body.token.token_addresses.find(({ chain }: { chain: string }) => chain === far)?.registration;
    };
    expect(await registration()).toBeUndefined();
    const { transactionHash } = await world.send(home, 'alice', prepared);
    await world.indexed();
    expect(await registration()).toBe('sent');
    await becomes(home, transactionHash, 'delivered');
    expect(await registration()).toBe('registered');
    const again = await ask();
    expect([again.status, again.body.code]).toEqual([409, 'TOKEN_REGISTERED']);
  });

  /** What the service shows of the token's chains: state, and whether it is deployed there. */
  const placesOf = async (id: string): Promise<[string, string, boolean][]> => {
    const { body } = await world.call('getTokenAbout', { token_id: id }, { bearer });
    const rows: { chain: string; registration: string; is_registered: boolean }[] = body.token.token_addresses;
    return rows.map((row) => [row.chain, row.registration, row.is_registered]);
  };
  const deployedOn = (id: string, ...slugs: string[]): Promise<unknown> =>
    until(async () => {
      await world.chain(home).rpc('anvil_mine', ['0x1']);
      await world.indexed();
      const places = await placesOf(id);
      return slugs.every((slug) => places.some(([chain, , isThere]) => chain === slug && isThere));
    });
  const codeOn = (slug: WorldSlug, address: string) => world.chain(slug).rpc('eth_getCode', [address, 'latest']);
  const unreached = [expect.stringMatching(/ polygon: /), expect.stringMatching(/ solana-devnet: /)];
  const sentences = (answer: Answer['body'], code: string): string[] =>
    answer.warnings
      .filter((one: { code: string }) => one.code === code)
      .map((one: { sentence: string }) => one.sentence);

  it('behavior: a creation deploys the token on each chain that can be reached, and names the others', async () => {
    const body = await ask({ destinationChains: [far, 'polygon', home, 'solana-devnet', far] });
    const { transactions, transaction, registration, decoded, metadata } = body;
    const [creation, announcement] = transactions.slice(-2);
    expect([creation.to, creation.data]).toEqual([transaction.to, transaction.data]);
    expect(JSON.stringify(decoded)).toContain('"create"');
    const { tokenBridge } = world.chain(home).deployment;
    expect(announcement).toMatchObject({ to: tokenBridge, value: registration.nativeFeeMax, chainSlug: home });
    expect(registration).toMatchObject({ executed: false, transactionHash: '', intentId: null });
    expect(registration.chains).toEqual([{ chain: far, nativeFee: registration.nativeFee }]);
    expect(sentences(body, 'DESTINATION_UNREACHABLE').toSorted()).toEqual(unreached);

    const address = metadata.addresses.evm;
    expect(await codeOn(far, address)).toBe('0x');
    const { transactionHash } = await world.send(home, 'alice', { body });
    await world.indexed();
    expect((await placesOf(metadata.tokenId)).toSorted()).toEqual([
      [home, 'registered', true],
      [far, 'sent', false],
      ['polygon', 'none', false],
      ['solana-devnet', 'none', false],
    ]);
    const { deliveries } = await becomes(home, transactionHash, 'delivered');
    expect(deliveries.map(({ toChain, state }: Record<string, string>) => [toChain, state])).toEqual([
      [far, 'delivered'],
    ]);
    await deployedOn(metadata.tokenId, far);
    expect(await codeOn(far, address)).not.toBe('0x');
    expect(
      (await placesOf(metadata.tokenId))
        .filter(([, , isThere]) => !isThere)
        .map(([chain]) => chain)
        .toSorted(),
    ).toEqual(['polygon', 'solana-devnet']);
  });

  it('behavior: a way that is paused is named, the creation stands, and another wallet deploys it later', async () => {
    const { wallet, accounts, deployment } = world.chain(home);
    const tokenBridge = deployment.tokenBridge as Address;
    const args = [world.chain(far).chain.eid as number] as const;
    const call = (functionName: 'pause' | 'unpause') => ({
      to: tokenBridge,
      data: encodeFunctionData({ abi: tokenBridgeAbi, functionName, args }),
    });
    await wallet.send(accounts.guardian, call('pause'));
    const { answer, tokenId: id } = await world.create(home, 'alice', { destinationChains: [far] });
    await wallet.send(accounts.owner, call('unpause'));
    expect([answer.body.transactions.length, answer.body.registration]).toEqual([1, null]);
    expect(sentences(answer.body, 'DESTINATION_UNREACHABLE')).toEqual([expect.stringContaining(' bnb-testnet: ')]);
    await world.indexed();
    expect(await placesOf(id)).toEqual([
      [home, 'registered', true],
      [far, 'none', false],
    ]);
    const { bob } = accounts;
    const asked = { token_id: id, chains: [far], wallet_address: bob.address };
    const retry = await world.call('registerToken', asked, { bearer: await world.signIn(bob) });
    expect(retry.status, JSON.stringify(retry.body)).toBe(200);
    await world.send(home, 'bob', retry);
    await deployedOn(id, far);
  });

  it('behavior: without simulation, and while the home does not answer, a creation is prepared all the same', async () => {
    const served = world.api.context.chains.get(home);
    const bridge = served?.client.bridge;
    if (bridge == null) throw new Error('there is a bridge');
    const { announceFees } = bridge;
    bridge.announceFees = () => Promise.reject(new MintageError('NETWORK_ERROR', 'The chain is down'));
    try {
      const { answer } = await world.create(home, 'alice', { destinationChains: [far], simulate: false });
      expect(answer.body.transactions).toHaveLength(1);
      expect(sentences(answer.body, 'DESTINATION_UNREACHABLE')).toEqual([expect.stringContaining('The chain is down')]);
    } finally {
      bridge.announceFees = announceFees;
    }
  });

  it('behavior: the embedded wallet deploys what it creates, and creates where it cannot pay the message', async () => {
    const user = await world.signIn(privateKeyToAccount(generatePrivateKey()));
    const me = async () => (await world.call('me', {}, { bearer: user })).body.data;
    const embedded = await until(
      async () => (await me()).wallets.find((wallet: { embedded: boolean }) => wallet.embedded)?.address,
    );
    const { rpc } = world.chain(home);
    await until(async () => BigInt((await rpc('eth_getBalance', [embedded, 'latest'])) as Hex) > 0n);
    const create = () =>
      world.call(
        'createTokenTransaction',
        {
          name: 'Own Coin',
          symbol: 'OWN',
          description: 'By itself.',
          image: onePixel,
          chainSlug: home,
          destinationChains: [far, 'polygon', 'solana-devnet'],
          execute: true,
        },
        { bearer: user },
      );
    const executed = async () => {
      const { status, body } = await create();
      expect([status, body.executed], JSON.stringify(body)).toEqual([200, true]);
      expect(sentences(body, 'DESTINATION_UNREACHABLE').toSorted()).toEqual(unreached);
      return body;
    };
    const created = await executed();
    const { registration, metadata, transactionHash } = created;
    expect(registration).toMatchObject({ executed: true, transactionHash: expect.stringMatching(/^0x\w{64}$/) });
    expect(registration.transactionHash).not.toBe(transactionHash);
    const statusBy = (intentId: string) => world.call('transactionStatus', { intentId }, { bearer: user });
    await until(async () => {
      await rpc('anvil_mine', ['0x1']);
      await world.indexed();
      const { body } = await statusBy(registration.intentId);
      return body.delivery?.state === 'delivered' && body;
    });
    expect((await statusBy(created.intentId)).body).toMatchObject({ hash: transactionHash, error: null });
    await deployedOn(metadata.tokenId, far);

    // Enough for the creation, and not for the message too.
    const holds = (wei: bigint) => rpc('anvil_setBalance', [embedded, numberToHex(wei)]);
    await holds(1n);
    const needed = /; (\d+) are needed/.exec((await create()).body.error)?.[1] ?? '';
    await holds((BigInt(needed) * 102n) / 100n);
    const poor = await executed();
    expect(poor.registration).toMatchObject({ executed: false, transactionHash: '', intentId: null });
    expect(sentences(poor, 'DESTINATIONS_NOT_SENT')).toEqual([expect.stringContaining('was not sent: The wallet')]);
    await world.indexed();
    await until(async () => (await world.call('getTokenAbout', { token_id: poor.metadata.tokenId })).status === 200);
  });

  it('W4 behavior: an embedded wallet sends within a budget, the fee paid from its coins; to a stranger it does not', async () => {
    const user = await world.signIn(privateKeyToAccount(generatePrivateKey()));
    const me = async () => (await world.call('me', {}, { bearer: user })).body.data;
    const embedded = await until(
      async () => (await me()).wallets.find((wallet: { embedded: boolean }) => wallet.embedded)?.address,
    );
    const coins = async () => BigInt((await world.chain(home).rpc('eth_getBalance', [embedded, 'latest'])) as Hex);
    await until(async () => (await coins()) > 0n);
    await world.send(home, 'alice', await transfer(home, home, '10', { recipient_address: embedded }));
    await world.indexed();
    const budget = { perTradeUsd: '1', perDayUsd: '1' };
    const made = await world.call(
      'createApiKey',
      { name: 'agent', scopes: ['read', 'prepare', 'execute'], budget },
      { bearer: user },
    );
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    const execute = (recipient: Address) =>
      world.call(
        'transferToken',
        {
          token_id: tokenId,
          recipient_address: recipient,
          amount: '4',
          from_chain_slug: home,
          to_chain_slug: far,
          execute: true,
        },
        { bearer: made.body.key },
      );
    const stolen = await execute(alice);
    expect([stolen.status, stolen.body.code]).toEqual([403, 'RECIPIENT_NOT_ALLOWED']);
    const sent = await execute(embedded);
    expect([sent.status, sent.body.executed], JSON.stringify(sent.body)).toEqual([200, true]);
    await until(async () => {
      await world.chain(home).rpc('anvil_mine', ['0x1']);
      return (await balanceOn(far, embedded)) === 4n * oneToken;
    });
    expect(await balanceOn(home, embedded)).toBe(6n * oneToken);
  });

  it('X1 behavior: what a stranger’s contract says of a message is not believed', async () => {
    const body = await world.call(
      'transactionStatus',
      { guid: pad('0x12', { size: 32 }), chainSlug: home },
      { bearer },
    );
    expect([body.status, body.body.code]).toEqual([404, 'TRANSACTION_NOT_FOUND']);
  });

  it('X3 X9 one unit that nobody sent turns the proof over all chains red, in the API and from outside', async () => {
    const acrossChains = async () => (await world.call('solvency', {})).body.acrossChains;
    const one = (across: Answer['body']) => across.tokens.find((row: { token: string }) => row.token === token);
    /** As anyone runs it. */
    const fromOutside = () =>
      new Promise<{ code: number; output: string }>((resolve) => {
        const rpcs = ([home, far] as const).flatMap((slug) => ['--rpc', world.chain(slug).rpcUrl]);
        const args = [script, '--bridge', world.chain(home).deployment.tokenBridge as Address, ...rpcs];
        execFile(process.execPath, args, (error, stdout, stderr) =>
          resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
        );
      });
    const before = await acrossChains();
    expect([before.constant, before.chains.toSorted()], JSON.stringify(before)).toEqual([true, [home, far].toSorted()]);
    const { away, inFlight, gapRaw, homeSupplyRaw } = one(before);
    expect([inFlight, gapRaw, away[0].chain, away[0].out]).toEqual(['0', '0', far, away[0].supply]);
    expect(BigInt(homeSupplyRaw) + BigInt(away[0].outRaw)).toBe(10n ** 27n);
    expect(await fromOutside()).toMatchObject({ code: 0 });

    const { rpc, deployment } = world.chain(far);
    const bridge = deployment.tokenBridge as Address;
    const asBridge = async (functionName: 'crosschainMint' | 'crosschainBurn') => {
      await rpc('anvil_impersonateAccount', [bridge]);
      await rpc('anvil_setBalance', [bridge, '0xde0b6b3a7640000']);
      const abi = parseAbi([`function ${functionName}(address account, uint256 amount)`]);
      const data = encodeFunctionData({ abi, args: [alice, 1n] } as never);
      await rpc('eth_sendTransaction', [{ from: bridge, to: token, data, gas: '0x30d40' }]);
      await rpc('anvil_mine', ['0x1']);
    };
    await asBridge('crosschainMint');
    const wrong = await acrossChains();
    expect([wrong.constant, one(wrong).constant, one(wrong).inFlightRaw]).toEqual([false, false, '-1']);
    const outside = await fromOutside();
    expect(outside.code).toBe(1);
    expect(outside.output).toContain(`NOT CONSTANT ${token} of ${home}`);
    await asBridge('crosschainBurn');
    expect((await acrossChains()).constant).toBe(true);
  });
});

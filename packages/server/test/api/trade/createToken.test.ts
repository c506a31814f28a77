import { launchpadAbi, platformIdOf, tokenIdOf } from '@mintage/protocol';
import { decodeFunctionResult, encodeFunctionData } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gasBounds } from '../../../src/chain/evm/gas.ts';
import {
  chainFigures,
  eventsOf,
  onePixel,
  quotedFigures,
  startTradeWorld,
  type TradeWorld,
  tradeOf,
  worldSlugs,
} from './tradeWorld.ts';

/** Stored by no other test. */
const newPicture = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="7" height="3"/>').toString('base64')}`;

describe('createTokenTransaction on a chain', () => {
  let world: TradeWorld;
  beforeAll(async () => {
    world = await startTradeWorld();
    for (const slug of worldSlugs) await world.fund(slug, 'alice', 1_000_000n);
  });
  afterAll(() => world?.stop());

  const ask = (body: object) =>
    world.call(
      'createTokenTransaction',
      {
        name: 'Tested Coin',
        symbol: 'TEST',
        description: 'A coin of a test.',
        image: onePixel,
        chainSlug: 'base-sepolia',
        userAddress: world.chain('base-sepolia').accounts.alice.address,
        ...body,
      },
      { bearer: world.bearer },
    );

  /** How many drafts, slugs and files are kept. */
  const storedCounts = () =>
    Promise.all(
      (['token_draft', 'token_slug', 'media_block'] as const).map((table) =>
        world.api.context.db
          .selectFrom(table)
          .select(({ fn }) => fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow(),
      ),
    );

  describe.each(worldSlugs)('%s', (slug) => {
    it('C16 the address, ids and metadata of the answer are those of the chain', async () => {
      const { answer, receipt, address } = await world.create(slug, 'alice', {
        description: ' Two\nlines. ',
        links: { website: 'a.example', twitter: 'https://x.com/a', youtube: null },
        tags: ['ai', 'agent'],
        banner: onePixel,
        video: 'https://a.example/v.mp4',
        destinationChains: ['solana', slug, 'opbnb', 'solana'],
      });
      const { chain, accounts, deployment, rpc } = world.chain(slug);
      const { body } = answer;
      expect(eventsOf(receipt)).toEqual(['TokenCreated']);
      expect(receipt.logs.at(0)?.topics[1]?.slice(26) ?? '').toBeTruthy();
      const [created] = body.decoded;
      const data = encodeFunctionData({
        abi: launchpadAbi,
        functionName: 'tokenAddress',
        args: [accounts.alice.address, created.args.salt],
      });
      const onChain = decodeFunctionResult({
        abi: launchpadAbi,
        functionName: 'tokenAddress',
        data: (await rpc('eth_call', [{ to: deployment.launchpad, data }, 'latest'])) as `0x${string}`,
      });
      expect(address).toBe(onChain.toLowerCase());
      const platformId = platformIdOf(address, chain.eid);
      expect(body).toMatchObject({
        success: true,
        executed: false,
        transactionHash: '',
        chainId: chain.chainId,
        quote: null,
        simulation: { ok: true },
        warnings: ['solana', 'op-bnb'].map((chain) => ({
          code: 'DESTINATION_UNREACHABLE',
          sentence: `The token is not deployed on ${chain}: this service does not serve it. Anyone can do it later, by \`/register-token\`.`,
        })),
        metadata: {
          tokenId: tokenIdOf(platformId),
          platform_id: platformId,
          mintage_id: platformId,
          name: 'Tested Coin',
          symbol: 'TEST',
          description: 'Two\nlines.',
          addresses: { evm: address, solana: '' },
        },
      });
      expect(body.metadata.hubUrl).toBe(`${world.api.context.config.appUrl}/token/${body.metadata.slug}`);
      expect(body.transactions).toHaveLength(1);
      expect(body.transactions[0]).toMatchObject({
        chainId: chain.chainId,
        chainSlug: slug,
        chainType: 'evm',
        value: '0',
      });
      const { to, data: bytes, value, gasLimit } = body.transactions[0];
      expect(body.transaction).toEqual({ to, data: bytes, value, gasLimit });

      const file = await world.call('ipfs', { cid: body.metadata.tokenUri.replace('ipfs://', '') });
      expect(file.status).toBe(200);
      expect(file.body).toMatchObject({
        name: 'Tested Coin',
        symbol: 'TEST',
        description: 'Two\nlines.',
        image: expect.stringMatching(/^ipfs:\/\/b/),
        banner: expect.stringMatching(/^ipfs:\/\/b/),
        video: 'https://a.example/v.mp4',
        website: 'https://a.example/',
        twitter: 'https://x.com/a',
        tags: ['ai', 'agent'],
      });
      const draft = await world.api.context.db
        .selectFrom('token_draft')
        .selectAll()
        .where('token_id', '=', body.metadata.tokenId)
        .executeTakeFirstOrThrow();
      expect(draft).toMatchObject({
        destination_chains: ['solana', 'op-bnb'],
        slug: body.metadata.slug,
        pool_type: 'meme',
      });
    });

    it('promise 1: the initial buy costs what was quoted, with exact dollars and with exact tokens', async () => {
      const { accounts } = world.chain(slug);
      for (const buy of [
        { amountIn: 10 },
        { amountIn: 0.01, token_referral: accounts.promoter.address },
        { tokensOut: 1_234_567.891, maxAmountIn: 200, amountIn: 3 },
        { amountIn: 77.5, builder: { code: accounts.builder.address, fee: 100 }, poolType: 'startup-preseed' },
        { amountIn: 100_000, poolType: 'test' },
      ]) {
        const { answer, receipt } = await world.create(slug, 'alice', buy);
        expect(chainFigures(tradeOf(receipt))).toEqual(quotedFigures(answer.body.quote));
        expect(answer.body.quote).toMatchObject({ state: { feeBps: 8000, source: 'pool_type' }, slippageBps: 0 });
        expect(answer.body.warnings.map(({ code }: { code: string }) => code)).toContain('ANTI_SNIPE_WINDOW');
        expect(answer.body.transactions.at(-1).description).toMatch(/^Create Tested Coin \(TEST\) and buy /);
        const needed = answer.body.warnings.filter(({ code }: { code: string }) => code === 'ALLOWANCE_NEEDED');
        expect(needed).toHaveLength(answer.body.transactions.length - 1);
        if ('amountIn' in buy && buy.amountIn === 10) expect(needed[0].sentence).toContain('and 10 are needed');
      }
    });
  });

  it('behavior: simulate false takes the bound of gas and asks no chain', async () => {
    for (const body of [{}, { amountIn: 5 }]) {
      const { body: answer } = await ask({ ...body, simulate: false });
      const text = BigInt(Buffer.byteLength(`Tested CoinTEST${answer.metadata.tokenUri}`));
      const create = gasBounds.create + gasBounds.createByte * text;
      expect(answer.transaction.gasLimit).toBe((create + ('amountIn' in body ? gasBounds.curveTrade : 0n)).toString());
      expect(answer.simulation).toBeNull();
      await world.send('base-sepolia', 'alice', { body: answer });
    }
  });

  it('behavior: too few dollars are told by the simulation, the creation is prepared all the same', async () => {
    const { dave } = world.chain('base-sepolia').accounts;
    const { status, body } = await ask({ amountIn: 5, userAddress: dave.address });
    expect([status, body.simulation.ok, body.simulation.code]).toEqual([200, false, 'INSUFFICIENT_BALANCE']);
  });

  it('behavior: the longest name and ticker, in characters of four bytes, fit the contract', async () => {
    const { status, body } = await ask({ name: '😀'.repeat(32), symbol: '😀'.repeat(10) });
    expect([status, body.simulation.ok]).toEqual([200, true]);
    expect((await world.send('base-sepolia', 'alice', { body })).status).toBe('success');
  });

  const code = `0x${'a'.repeat(40)}`;
  it.each([
    ['tokensOut without maxAmountIn', { tokensOut: 5 }, 'INVALID_PARAMETERS', /maxAmountIn: is required/],
    ['maxAmountIn too small', { tokensOut: 1_000_000, maxAmountIn: 11 }, 'INVALID_PARAMETERS', /opening fee: 55\./],
    ['over-precise', { amountIn: 1.1234567 }, 'INVALID_PARAMETERS', /amountIn: must have at most 6 digits/],
    ['negative', { amountIn: -1 }, 'INVALID_PARAMETERS', /amountIn: must not be negative/],
    ['too small', { amountIn: 0.000001 }, 'AMOUNT_TOO_SMALL', /too small/],
    ['beyond the curve', { tokensOut: 750_000_001, maxAmountIn: 9e6 }, 'BEYOND_CURVE', /fewer tokens/],
    ['L10 fees', { amountIn: 5, builder: { code, fee: 10_000 } }, 'FEES_EXCEED_AMOUNT', /at most 1999\./],
    ['name', { name: 'x'.repeat(33) }, 'INVALID_PARAMETERS', /name: must be at most 32/],
    ['two lines', { name: 'a\nb' }, 'INVALID_PARAMETERS', /name: must be one line/],
    ['symbol', { symbol: 'x'.repeat(11) }, 'INVALID_PARAMETERS', /symbol: must be at most 10/],
    ['M6 direction override', { name: 'a\u202eb' }, 'INVALID_PARAMETERS', /control characters/],
    ['M6 link of a script', { links: { website: 'javascript:alert(1)' } }, 'INVALID_PARAMETERS', /links.website: /],
    ['tags', { tags: Array.from({ length: 11 }, () => 'a') }, 'INVALID_PARAMETERS', /tags: must be at most 10/],
    ['poolType', { poolType: 'rocket' }, 'INVALID_PARAMETERS', /poolType: must be meme/],
    ['type', { type: 'nft' }, 'INVALID_PARAMETERS', /type: must be coin/],
    ['no image', { image: undefined }, 'INVALID_PARAMETERS', /image: is required/],
    ['not an image', { image: 'data:image/png;base64,aGVsbG8=' }, 'MEDIA_INVALID', /./],
    [
      'a good image, but not a banner',
      { image: newPicture, banner: 'data:image/png;base64,aGVsbG8=' },
      'MEDIA_INVALID',
      /./,
    ],
    ['too large an image', { image: `data:image/png;base64,${'A'.repeat(7_000_000)}` }, 'MEDIA_TOO_LARGE', /./],
    ['M1 an inner address', { image: 'http://169.254.169.254/latest/meta-data' }, 'MEDIA_UNREACHABLE', /./],
    ['destination', { destinationChains: ['atlantis'] }, 'INVALID_PARAMETERS', /destinationChains.0/],
    ['chain', { chainSlug: 'solana-devnet' }, 'UNSUPPORTED_CHAIN', /solana-devnet/],
    ['execute', { execute: true }, 'INVALID_PARAMETERS', /userAddress: must be your embedded wallet/],
  ] as const)('error: %s, and nothing is stored', async (_name, body, code, message) => {
    const before = await storedCounts();
    const answer = await ask(body);
    expect([answer.status, answer.body.code, answer.body.success]).toEqual([400, code, false]);
    expect(answer.body.error).toMatch(message);
    expect(await storedCounts()).toEqual(before);
  });
});

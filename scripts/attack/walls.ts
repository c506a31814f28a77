import { setTimeout as sleep } from 'node:timers/promises';
import { startSystem } from '@mintage/devnet';
import { type Base58, fromBase58, toBase58 } from '@mintage/protocol';
import { isOnCurve, wellKnown } from '@mintage/protocol/solana';
import { type Answer, post, signIn, untilSo } from './client.ts';
import { none, type Part } from './part.ts';
import { unlimited } from './service.ts';

const slugs = ['base-sepolia', 'solana-devnet'] as const;

/** One from which its owner could spend, on each chain. */
const wallets: Record<(typeof slugs)[number], string> = {
  'base-sepolia': `0x${'e1'.repeat(20)}`,
  'solana-devnet': '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
};

/** Addresses that keep what they get, beside those that `GET /chains` lists and a token. */
const others: Record<(typeof slugs)[number], readonly string[]> = {
  'base-sepolia': [
    '0x000000000000000000000000000000000000dead',
    '0x0000000000000000000000000000000000000001',
    `0x${'0'.repeat(40)}`,
  ],
  'solana-devnet': [
    ...Object.values(wellKnown),
    '1nc1nerator11111111111111111111111111111111',
    'SysvarC1ock11111111111111111111111111111111',
    'So11111111111111111111111111111111111111112',
  ],
};

/** Each asset to each wall, on each family of chains, and to addresses that only look wrong. */
export const attackWalls: Part = async ({ find, tell }) => {
  const system = await startSystem({
    env: { CHAINS: slugs.join(), DATABASE_URL: '', RATE_LIMITS: unlimited, LOG_LEVEL: 'silent' },
  });
  try {
    const url = system.url as string;
    const bearer = await signIn(url);
    for (const slug of slugs) {
      const { assets, walls } = await groundOn(url, bearer, slug);
      // What is refused for another reason would say nothing.
      let unsent = 0;
      for (const send of Object.values(assets)) {
        const { status, text } = await send(wallets[slug]);
        if (status === 200) continue;
        unsent += 1;
        tell(`${slug}: ${text}`);
      }
      find(none(`${slug}: assets that do not even arrive at a wallet`, unsent));
      const codes = new Map<string, number>();
      let sent = 0;
      for (const to of walls)
        for (const [asset, send] of Object.entries(assets)) {
          const answer = await send(to);
          const { code } = JSON.parse(answer.text);
          codes.set(code, (codes.get(code) ?? 0) + 1);
          if (code === 'UNSAFE_RECIPIENT' || code === 'INVALID_PARAMETERS') continue;
          sent += 1;
          tell(`${slug}: ${asset} to ${to}: ${answer.status} ${answer.text.slice(0, 200)}`);
        }
      tell(`${slug}: ${JSON.stringify([...codes])}`);
      find(none(`${slug}: of ${Object.keys(assets).length} assets to ${walls.length} walls, not refused`, sent));
      let silent = 0;
      for (const to of doubtful(slug, walls))
        for (const [asset, send] of Object.entries(assets)) {
          const { warnings = [], code } = JSON.parse((await send(to)).text);
          tell(`${slug}: ${asset} to ${to}: ${code ?? JSON.stringify(warnings)}`);
          if (warnings.length > 0 || code === 'INVALID_PARAMETERS') continue;
          silent += 1;
        }
      find(none(`${slug}: addresses off the curve or with a wrong checksum, neither refused nor warned of`, silent));
    }
  } finally {
    await system.stop();
  }
};

/** What a new user can send on a chain, and where it must not go. */
const groundOn = async (url: string, bearer: string, slug: (typeof slugs)[number]) => {
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the operation answers
  const done = async (path: string, body: object): Promise<any> => {
    const { status, text } = await post(url, path, body, { bearer });
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return JSON.parse(text);
  };
  const isMined = async ({ intentId }: { intentId: string }) => {
    const status = async () => (await done('/transactions/status', { intentId })).status;
    await untilSo(async () => ['mined', 'final'].includes(await status()), 60_000);
  };
  const { chains } = JSON.parse(await (await fetch(`${url}/functions/v1/chains`)).text());
  const { contracts, dollarToken } = chains.find((one: { slug: string }) => one.slug === slug);
  const { tokens } = await done('/get-tokens-v2', { chains: [slug], limit: 1 });
  const [token] = tokens;
  await untilSo(
    async () => (await post(url, '/mint-usd', { chainSlug: slug, execute: true }, { bearer })).status === 200,
    60_000,
  );
  await sleep(2_000);
  await isMined(
    await done('/trade-token', {
      tokenId: token.id,
      chainSlug: slug,
      direction: 'buy',
      buyAmountUSD: 20,
      execute: true,
    }),
  );
  const send =
    (body: object) =>
    (to: string): Promise<Answer> =>
      post(url, '/send-transaction', { to, chainSlug: slug, ...body }, { bearer });
  const assets = {
    coins: send({ amount: '1000000' }),
    dollars: send({ usd: '1000000' }),
    tokens: (to: string): Promise<Answer> =>
      post(
        url,
        '/transfer-token',
        {
          token_id: token.id,
          recipient_address: to,
          amount: '1',
          from_chain_slug: slug,
          to_chain_slug: slug,
          execute: true,
        },
        { bearer },
      ),
  };
  const listed = [token.token_addresses[0].address, dollarToken.address, ...Object.values(contracts)];
  const isAddress = slug === 'solana-devnet' ? /^[1-9A-HJ-NP-Za-km-z]{32,44}$/ : /^0x[0-9a-fA-F]{40}$/;
  const walls = [...listed, ...others[slug]].filter(
    (one): one is string => typeof one === 'string' && isAddress.test(one),
  );
  return { assets, walls: [...new Set(walls)] };
};

const doubtful = (slug: (typeof slugs)[number], walls: readonly string[]): string[] => {
  if (slug === 'base-sepolia') return ['0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed'];
  // One off the curve without an account: bytes beside those of a wall.
  const bytes = Uint8Array.from(fromBase58(walls[0] as Base58) as Uint8Array);
  do bytes[31] = ((bytes[31] as number) + 1) % 256;
  while (isOnCurve(bytes));
  return [toBase58(bytes)];
};

import { once } from 'node:events';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { devKey } from '@mintage/devnet';
import { demoUser } from '@mintage/devnet/demoUser';
import { rpcRequest } from '@mintage/devnet/rpc';
import { createReader } from '@mintage/sdk';
import { createPublicClient, erc20Abi, formatUnits, http } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainLines } from '../src/output/plain.ts';
import { seal, unseal } from '../src/profile/sealed.ts';
import { createProgram } from '../src/program.ts';
import { startBetween } from './between.ts';
import { startWorld, type World } from './world.ts';

let world: World;
let apiKey: string;
beforeAll(async () => {
  world = await startWorld();
  const [chain] = world.system.chains;
  if (!chain) expect.fail('no chain');
  ({ apiKey } = await demoUser(world.system.url ?? '', world.system.config.home, chain.accounts.alice));
});
afterAll(() => world?.stop());

const alice = () => world.system.chains[0]?.accounts.alice.address ?? expect.fail('no chain');
const reader = () => createReader({ baseUrl: world.system.url ?? '' });
const chain = () => createPublicClient({ transport: http(world.system.chains[0]?.rpcUrl) });
/** Transactions that a wallet of one's own has sent. */
const sentBy = (address: `0x${string}`) => chain().getTransactionCount({ address });
const held = async (slug: string, address: `0x${string}`) => {
  const { token } = await reader().getTokenAbout({ token_id: slug });
  const at = token.primary_evm_address as `0x${string}`;
  return chain().readContract({ address: at, abi: erc20Abi, functionName: 'balanceOf', args: [address] });
};
const trades = async (slug: string) => {
  await world.system.caughtUp();
  return (await reader().getTokenTrades({ token_id: slug, limit: 100 })).activities;
};

describe('a first token, as a newcomer makes it', () => {
  it('default: init, create, buy, sell, portfolio by a wallet of one’s own', async () => {
    const init = await world.run(['init', '--chain', 'base-sepolia', '--import-wallet'], {
      stdin: `${devKey('alice')}\n`,
    });
    expect(init).toMatchObject({ code: 0, err: '' });
    expect(init.out).toContain(alice());
    expect(init.out).not.toContain(devKey('alice').slice(2, 20));

    const named = ['--name', 'Tea House', '--symbol', 'TEA', '--description', 'A house.', '--image', pixel()];
    const made = await world.run(['create', ...named, '--amount-in', '10', '--yes']);
    expect(made.code, made.err).toBe(0);
    expect(made.out).toMatch(/Created +Tea House \(TEA\) +base-sepolia/);
    await world.system.caughtUp();

    // The opening fee is over, and the rest is what anybody does.
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    const before = await held('tea-house', alice());
    const mined = mineAll();
    const bought = await world.run(['buy', 'tea-house', '12.5', '--yes', '--wait', 'final']);
    mined.stop();
    expect(bought.code, bought.err).toBe(0);
    const got = formatUnits((await held('tea-house', alice())) - before, 18);
    expect(bought.out).toContain(`Got   ${got} TEA`);
    expect(bought.out).toMatch(/You get at least +[\d.]+ TEA +slippage/);

    const sold = await world.run(['sell', 'tea-house', 'all', '--yes']);
    expect(sold.code, sold.err).toBe(0);
    expect(await held('tea-house', alice())).toBe(0n);
    expect((await world.run(['portfolio'])).out).toMatch(/in \d+ tokens/);
  });

  it('behavior: a dry run shows everything and sends nothing, and without a terminal nothing is prepared', async () => {
    const before = await sentBy(alice());
    const dry = await world.run(['buy', 'paper-boat', '10', '--dry-run']);
    expect(dry).toMatchObject({ code: 0 });
    expect(dry.out).toMatch(/Simulated +succeeds/);
    const asked = await world.run(['buy', 'paper-boat', '10']);
    expect(asked).toMatchObject({ code: 2, out: '' });
    expect(asked.err).toContain('--yes');
    expect(await sentBy(alice())).toBe(before);
  });

  it('behavior: with --json the service’s answer, then what the wallet did', async () => {
    const { out, code } = await world.run(['buy', 'paper-boat', '5', '--yes', '--json']);
    expect(code).toBe(0);
    const [answer, done] = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answer).toMatchObject({ success: true, executed: false, quote: { inputAmount: '5' } });
    expect(done.executed.traded.amountOut).toBe(answer.quote.outputAmountRaw);
    const about = await world.run(['token', 'paper-boat', '--json']);
    expect(JSON.parse(about.out)).toEqual(await reader().getTokenAbout({ token_id: 'paper-boat' }));
  });

  it('error: what would fail is not sent, and what the service refuses is told with its next step', async () => {
    const before = await sentBy(alice());
    const poor = await world.run(['sell', 'first-light', '5', '--yes']);
    expect(poor).toMatchObject({ code: 5 });
    const none = await world.run(['buy', 'no-such-token', '5', '--yes']);
    expect(none.code).toBe(4);
    expect(none.err).toContain('mintage search');
    const watched = await world.run(['token', 'no-such-token', '--watch']);
    expect(watched).toMatchObject({ code: 4, err: expect.stringContaining('mintage search') });
    const unserved = await world.run(['profile', 'rpc', 'bse-sepolia', 'http://127.0.0.1:9']);
    expect(unserved).toMatchObject({ code: 2, err: expect.stringContaining('does not serve bse-sepolia') });
    const wrong = await world.run(['buy', 'paper-boat', '5', '--slippage-bps', '9000', '--yes', '--json']);
    expect(wrong.code).toBe(5);
    expect(JSON.parse(wrong.err)).toMatchObject({
      success: false,
      code: 'SLIPPAGE_TOO_HIGH',
      next: expect.any(String),
    });
    expect(await sentBy(alice())).toBe(before);
  });

  it('error: bytes for another contract than the profile trusts are not signed', async () => {
    const before = await sentBy(alice());
    const path = join(world.folder, 'config/mintage/profiles.json');
    const kept = readFileSync(path, 'utf8');
    const { launchpad, lens } = JSON.parse(kept).profiles.default.trusted['base-sepolia'];
    const [other, another] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`];
    writeFileSync(path, kept.replaceAll(launchpad, other).replaceAll(lens, another));
    const refused = await world.run(['buy', 'paper-boat', '5', '--yes']);
    const shown = await world.run(['profile', 'trust']);
    writeFileSync(path, kept);
    expect(refused.code).toBe(5);
    expect(refused.err).toContain('BYTES_DIFFER');
    expect(shown.code).toBe(2);
    for (const [what, was, is] of [
      ['launchpad', other, launchpad],
      ['lens', another, lens],
    ])
      expect(shown.out).toMatch(new RegExp(`${what} +${was} +${is}`));
    expect(await sentBy(alice())).toBe(before);
  });
});

describe('on a terminal', () => {
  const down = '\u001b[B';
  const question = 'Pay 5 USDC';

  it('behavior: who says yes buys; who says no, or presses Ctrl-C, sends nothing', async () => {
    const before = await sentBy(alice());
    const no = await world.onTerminal(['buy', 'paper-boat', '5'], [[question, '\r']]);
    expect(no.code, no.out).toBe(8);
    const ended = await world.onTerminal(['buy', 'paper-boat', '5'], [[question, '\u0003']]);
    expect(ended.code, ended.out).toBe(130);
    expect(await sentBy(alice())).toBe(before);
    const yes = await world.onTerminal(['buy', 'paper-boat', '5'], [[question, 'y']]);
    expect(yes.code, yes.out).toBe(0);
    expect(await sentBy(alice())).toBeGreaterThan(before);
  });

  it('behavior: Ctrl-C while something is on its way tells by what it is found again', async () => {
    const ended = await world.onTerminal(
      ['buy', 'paper-boat', '5', '--yes', '--wait', 'final'],
      [['Waiting', '\u0003']],
    );
    expect(ended.code, ended.out).toBe(130);
    expect(ended.out).toMatch(/What was sent goes on:\s+mintage api transactionStatus hash=0x/);
  });

  it('behavior: init asks who signs, and Ctrl-C there leaves no profile', async () => {
    const ended = await world.onTerminal(['init', '--profile', 'none'], [['Who signs?', '\u0003']]);
    expect(ended.code).toBe(130);
    const made = await world.onTerminal(['init', '--profile', 'nobody'], [['Who signs?', `${down}${down}${down}\r`]]);
    expect(made.code, made.out).toBe(0);
    const { profiles } = JSON.parse((await world.run(['profile', 'list', '--json'])).out);
    expect(Object.keys(profiles)).toEqual(['default', 'nobody']);
  });

  it('behavior: NO_COLOR and a pipe have no colours, a terminal has', async () => {
    const colour = '\u001b[';
    expect((await world.onTerminal(['tokens'], [])).out).toContain(colour);
    // A log of CI is no terminal, whatever other programs think of it.
    expect((await world.run(['tokens'], { env: { CI: 'true' } })).out).not.toContain(colour);
  });
});

describe('an embedded wallet', () => {
  it('behavior: it signs once, and only what was shown before', async () => {
    const env = { MINTAGE_API_KEY: apiKey };
    const me = await world.run(['me', '--json', '--include-testnets'], { env });
    const wallet = JSON.parse(me.out).data.wallets.find((one: { embedded: boolean }) => one.embedded).address;
    await expect.poll(async () => chain().getBalance({ address: wallet })).toBeGreaterThan(0n);
    const before = (await trades('paper-boat')).length;
    const dry = await world.run(['buy', 'paper-boat', '3', '--execute', '--dry-run'], { env });
    expect(dry.code, dry.err).toBe(0);
    expect((await trades('paper-boat')).length).toBe(before);
    const bought = await world.run(['buy', 'paper-boat', '3', '--execute', '--yes'], { env });
    expect(bought.code, bought.err).toBe(0);
    // The signer may know of its block before the index does.
    await expect.poll(async () => (await trades('paper-boat')).length).toBe(before + 1);
    const sent = await world.run(['send', alice(), '0.001', '--chain', 'base-sepolia', '--yes', '--json'], { env });
    expect(JSON.parse(sent.out)).toMatchObject({ status: expect.stringMatching(/mined|final/) });
    const words = ['send', alice(), '1.25', '--dollars', '--chain', 'base-sepolia'];
    const shown = await world.run([...words, '--dry-run', '--json'], { env });
    expect(JSON.parse(shown.out)).toEqual({ to: alice(), chainSlug: 'base-sepolia', usd: '1250000' });
    const paid = await world.run([...words, '--yes'], { env });
    expect(paid.code, paid.err).toBe(0);
    const fine = await world.run(['send', alice(), '0.0000001', '--dollars', '--chain', 'base-sepolia'], { env });
    expect([fine.code, fine.err]).toEqual([2, expect.stringMatching(/at most 6 digits/)]);
    const nowhere = await world.run(['send', alice(), '1', '--chain', 'atlantis'], { env });
    expect(nowhere.err).toMatch(/no chain atlantis/);
  });
});

describe('a service that fails or lies', () => {
  let between: Awaited<ReturnType<typeof startBetween>>;
  const run = (...words: string[]) =>
    world.run(words, {
      env: { MINTAGE_URL: between.url, MINTAGE_API_KEY: apiKey, MINTAGE_PRIVATE_KEY: devKey('alice') },
    });
  beforeAll(async () => {
    between = await startBetween(world.system.url ?? '');
  });
  afterAll(() => between?.stop());

  it('error: once something was sent, no failure says that the command may be repeated', async () => {
    between.change((path, answer) => (path.endsWith('/transactions/status') ? null : answer));
    const embedded = await run('send', alice(), '0.001', '--chain', 'base-sepolia', '--yes');
    expect(embedded).toMatchObject({
      code: 7,
      err: expect.stringMatching(/Transaction 0x.*mintage api transactionStatus/s),
    });
    const before = await sentBy(alice());
    const own = await run('buy', 'paper-boat', '2', '--yes', '--wait', 'final', '--json');
    expect(await sentBy(alice())).toBeGreaterThan(before);
    expect(own.code, own.err).toBe(7);
    expect(own.err).toMatch(/"code":"UNREACHABLE".*transactionStatus hash=0x/);
    between.change((_, answer) => answer.replaceAll('"rpcUrl":"http', '"rpcUrl":"http://127.0.0.1:9/?'));
    const unread = await run('buy', 'paper-boat', '2', '--yes', '--execute');
    expect(unread.code, unread.err).toBe(0);
    expect(unread.err).toContain('was not read from the chain');
    between.change(() => '{}');
    expect(await run('init', '--profile', 'wrong', '--anonymous', '--url', between.url)).toMatchObject({
      code: 6,
      err: expect.stringContaining('no service of Mintage'),
    });
    between.change((_, answer) => answer.replaceAll('"rpcUrl":"http', '"rpcUrl":"http://127.0.0.1:9/?'));
    const unasked = await run('sell', 'paper-boat', '50%', '--yes');
    expect(unasked).toMatchObject({ code: 6, err: expect.not.stringContaining('    at ') });
  });
});

describe('a write without an answer', () => {
  it('error: it may have been done, is found by its key, and with it is done no second time', async () => {
    const between = await startBetween(world.system.url ?? '');
    const env = { MINTAGE_URL: between.url, MINTAGE_API_KEY: apiKey };
    const words = ['api', 'sendTransaction', `to=${alice()}`, 'amount=1000', 'chainSlug=base-sepolia'];
    for (const instead of [null, '<html>']) {
      between.change((path, answer) => (path.endsWith('/send-transaction') ? instead : answer));
      const cut = await world.run(words, { env });
      expect(cut, cut.err).toMatchObject({ code: 7, out: '', err: expect.stringContaining('It may have been done.') });
      const look = /Look: mintage (api transactionStatus idempotencyKey=(\S+))/.exec(cut.err);
      const { hash } = JSON.parse((await world.run(look?.[1]?.split(' ') ?? [], { env })).out);
      between.change((_, answer) => answer);
      const again = await world.run([...words, '--idempotency-key', look?.[2] ?? ''], { env });
      expect(again.code, again.err).toBe(0);
      expect(JSON.parse(again.out).hash).toBe(hash);
    }
    between.change((path, answer) => (/referral|get-tokens/.test(path) ? null : answer));
    const unread = await world.run(['api', 'getTokensV2'], { env });
    expect(unread.code, unread.err).toBe(6); // nothing is done by it
    const entered = await world.run(['referral', 'enter', 'NONE1'], { env });
    expect(entered, entered.err).toMatchObject({ code: 7, err: expect.stringContaining('Look before you repeat it.') });
    await between.stop();
  });
});

describe('everything that is printed', () => {
  it('behavior: names of strangers, in every command and in every question, move nothing', async () => {
    const between = await startBetween(world.system.url ?? '');
    const evil = 'Safe\\u001b[2J\\u009b2J\\u202eCoin\\n';
    between.change((_, answer) => answer.replaceAll('Paper Boat', evil).replaceAll('BOAT', evil));
    const env = { MINTAGE_URL: between.url, MINTAGE_PRIVATE_KEY: devKey('alice'), MINTAGE_API_KEY: apiKey };
    const lists = ['tokens', 'portfolio', 'token paper-boat', 'search paper boat', 'quote buy paper-boat 3'];
    for (const line of [
      ...lists,
      'buy paper-boat 3 --dry-run',
      'transfer paper-boat 3 0x1111111111111111111111111111111111111111 --dry-run',
    ]) {
      const { out, err, code } = await world.run(line.split(' '), { env });
      expect(code, line + err).toBe(0);
      expect(out + err, line).toContain('Safe\\u001b[2J\\u009b2J\\u202eCoin');
      expect(out + err, line).toBe(plainLines(out + err));
    }
    const asked = await world.onTerminal(['buy', 'paper-boat', '3'], [['Pay 3 USDC for Safe\\u001b', 'n']], env);
    expect(asked.code, asked.out).toBe(8);
    for (const moving of ['\u001b[2J', '\u009b', '\u202e']) expect(asked.out).not.toContain(moving);
    const json = await world.onTerminal(['token', 'paper-boat', '--json'], [], env);
    const text = json.out.replaceAll('\r\n', '\n');
    expect(text).toBe(plainLines(text));
    expect(JSON.parse(json.out).token.name).toBe('Safe\u001b[2J\u009b2J\u202eCoin\n');
    await between.stop();
  });

  it('error: no word that was typed ends in a stack, in silence or in a thing that every object has', async () => {
    const lines = ['api toString', 'api constructor --describe', 'stream constructor', 'buy', 'quote up paper-boat 5'];
    const money = [
      'sell paper-boat 50% --usd',
      `send ${alice()} 1 --wait long`,
      'api tradeToken builder=5 builder.code=x',
    ];
    const files = ['api tradeToken --input /none', 'create --name x --symbol x --description x --image none.png'];
    for (const line of [
      ...lines,
      ...money,
      ...files,
      'profile rpc base-sepolia foo:bar',
      'tokens --url none',
      'frobnicate',
    ]) {
      const { code, out, err } = await world.run(line.split(' '), { env: { MINTAGE_API_KEY: apiKey } });
      expect({ code, out }, line).toEqual({ code: 2, out: '' });
      expect(err, line).toMatch(/^(✗|error:) .+/);
      expect(err, line).not.toMatch(/ {4}at |undefined|Cannot/);
    }
    expect((await world.run(['help', 'buy'])).out).toContain('--dry-run');
  });

  it('behavior: with --json every command prints JSON and nothing else, also where there is little to say', async () => {
    const env = { MINTAGE_API_KEY: apiKey, MINTAGE_PRIVATE_KEY: devKey('alice') };
    for (const [name, words] of Object.entries(inJson)) {
      const isKept = /^(profile|login|logout|init|keys|webhooks)/.test(name);
      const line = [...name.split(' '), ...words, '--json'];
      const { out, err, code } = await world.run(line, { stdin: devKey('bob'), ...(!isKept && { env }) });
      expect({ code, err }, name).toEqual({ code: 0, err: '' });
      expect(out.trim().split('\n').map(parsed), name).not.toContain(undefined);
    }
    const program = await createProgram('0', 'all');
    const leaves = program.commands.flatMap((one) =>
      one.commands.length === 0 ? one.name() : one.commands.map((inner) => `${one.name()} ${inner.name()}`),
    );
    expect(new Set([...Object.keys(inJson), ...elsewhere])).toEqual(new Set(leaves));
  });

  it('error: with --json what is wrong with the words is JSON too', async () => {
    const lines = [
      'tokens --limt 5',
      'frobnicate',
      'token',
      'profile',
      'profile --json list',
      'profile frobnicate',
      'doctor',
    ];
    for (const line of [...lines, 'candles paper-boat --candle-interval 7m', 'buy paper-boat x', 'api toString']) {
      const { out, err, code } = await world.run([...line.split(' '), '--json'], { env: { MINTAGE_API_KEY: apiKey } });
      expect({ code, out }, line).toEqual({ code: 2, out: '' });
      expect(parsed(err.trim()), line).toMatchObject({ success: false, error: expect.stringMatching(/^[^\n]+$/) });
    }
  });
});

describe('everything else', () => {
  it.each([
    ['tokens'],
    ['token', 'paper-boat'],
    ['search', 'paper'],
    ['trades', 'paper-boat'],
    ['candles', 'paper-boat', '--candle-interval', '1m'],
    ['holders', 'paper-boat'],
    ['fees'],
    ['leaderboard'],
    ['me'],
    ['chains'],
    ['quote', 'buy', 'paper-boat', '10'],
    ['keys', 'list'],
    ['webhooks', 'list'],
    ['referral', 'show'],
    ['api'],
    ['api', 'tradeToken', '--describe'],
    ['profile', 'list'],
    ['manual'],
    ['completion', 'bash'],
    ['completion', 'zsh'],
    ['completion', 'fish'],
  ])('default: %s', async (...words) => {
    // A password makes a key in half a second, which is not what is tested here.
    const isOfUser = ['keys', 'webhooks'].includes(words[0] ?? '');
    const { code, out, err } = await world.run(words, isOfUser ? {} : { env: { MINTAGE_API_KEY: apiKey } });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.trim()).not.toBe('');
    expect(out).not.toMatch(/undefined|NaN|\[object/);
  });

  it('behavior: api calls any operation, of all forms of answer', async () => {
    const stats = await world.run(['api', 'getTokenStats', 'token_id=paper-boat']);
    expect(JSON.parse(stats.out).stats).toHaveLength(1);
    const info = await world.run(['api', 'info.getUserFees']);
    expect(JSON.parse(info.out)).toMatchObject({ type: 'getUserFees' });
    const text = await world.run(['api', 'metrics']);
    expect(text.out).toContain('# HELP');
    const piped = await world.run(['api', 'quoteToken', 'amount=2', '--input', '-'], {
      stdin: '{"chainSlug":"base-sepolia","direction":"buy","inputToken":"usdc","amount":1}',
    });
    expect(JSON.parse(piped.out).data.inputAmount).toBe(2);
    expect(await world.run(['api', 'nix'])).toMatchObject({ code: 2 });
    expect(await world.run(['api', 'getTokens', 'limit=x'])).toMatchObject({ code: 2 });
  });

  it('behavior: keys and webhooks are made and ended', async () => {
    // A key that spends wants a fresh sign-in.
    expect(await world.run(['login'])).toMatchObject({ code: 0 });
    const key = JSON.parse(
      (await world.run(['keys', 'create', '--name', 'x', '--budget-per-day-usd', '5', '--json'])).out,
    );
    expect(JSON.parse((await world.run(['keys', 'list', '--json'])).out).keys[0]).toMatchObject({
      budget: { perDayUsd: '5' },
    });
    expect(await world.run(['keys', 'revoke', key.id])).toMatchObject({ code: 0 });
    const hook = await world.run([
      'webhooks',
      'create',
      'http://127.0.0.1:9/x',
      'tokenActivity',
      'tokenId=paper-boat',
      '--json',
    ]);
    expect(hook.code, hook.err).toBe(0);
    expect(await world.run(['webhooks', 'delete', JSON.parse(hook.out).webhook.id])).toMatchObject({ code: 0 });
  });

  it('behavior: --watch shows what changed, a stream prints it, and Ctrl-C ends both', async () => {
    const watching = world.start(['trades', 'paper-boat', '--limit', '1', '--watch', '--json']);
    const lines = createInterface(watching.stdout)[Symbol.asyncIterator]();
    const first = JSON.parse((await lines.next()).value ?? '');
    expect(first.activities).toHaveLength(1);
    const streaming = world.start(['stream', 'tokenActivity', 'tokenId=paper-boat']);
    const events = createInterface(streaming.stdout)[Symbol.asyncIterator]();
    expect(JSON.parse((await events.next()).value ?? '')).toMatchObject({ type: 'begin' });
    expect(await world.run(['buy', 'paper-boat', '4', '--yes'])).toMatchObject({ code: 0 });
    for (const each of [lines, events]) {
      expect(JSON.parse((await each.next()).value ?? '')).toMatchObject({ type: 'event', topic: 'tokenActivity' });
    }
    for (const child of [watching, streaming]) {
      child.kill('SIGINT');
      expect(await once(child, 'exit')).toEqual([130, null]);
    }
  });

  it('behavior: a wallet is exported, imported and deleted, and another service gets no credential', async () => {
    expect((await world.run(['profile', 'export', '--yes'])).out.trim()).toBe(devKey('alice'));
    const elsewhere = await world.run(['me', '--url', `${world.system.url}/functions/v1`, '--json']);
    expect(elsewhere.code).toBe(3);
    // Its secrets are closed there, so that nothing is written in their place either.
    const { data } = JSON.parse((await world.run(['me', '--json'])).out);
    expect(data.wallets[0].address).toBe(alice().toLowerCase());
    for (const words of [
      ['login', '--api-key'],
      ['login'],
      ['logout'],
      ['profile', 'import', '--force'],
      ['profile', 'export'],
    ]) {
      const closed = await world.run([...words, '--url', `${world.system.url}/functions/v1`], { stdin: apiKey });
      expect(closed.err, words.join(' ')).toContain('The profile default is of');
    }
    expect((await world.run(['profile', 'export', '--yes'])).out.trim()).toBe(devKey('alice'));
    const taken = await world.run(['profile', 'import'], { stdin: devKey('alice') });
    expect(taken).toMatchObject({ code: 2 });
    expect(await world.run(['profile', 'import', '--profile', 'nobody'], { stdin: devKey('alice') })).toMatchObject({
      code: 0,
    });
    expect(await world.run(['login', '--profile', 'nobody'])).toMatchObject({ code: 0 });
    const bob = await world.run(['profile', 'import', '--profile', 'nobody', '--force'], { stdin: devKey('bob') });
    expect(bob.code, bob.err).toBe(0);
    expect(await world.run(['me', '--profile', 'nobody'])).toMatchObject({ code: 3 }); // and not Alice still
    expect(await world.run(['login', '--profile', 'nobody'])).toMatchObject({ code: 0 });
    expect(await world.run(['logout', '--profile', 'nobody'])).toMatchObject({ code: 0 });
    expect(await world.run(['profile', 'delete', 'nobody', '--yes'])).toMatchObject({ code: 0 });
    expect(await world.run(['me', '--profile', 'nobody'])).toMatchObject({ code: 2 });
    expect(await world.run(['me'], { env: { MINTAGE_PASSWORD: 'another' } })).toMatchObject({ code: 3 });
  });

  it('behavior: a session whose refresh token another command used is signed in anew, and kept', async () => {
    const path = join(world.folder, 'config/mintage/secrets/default.json');
    const kept = () => unseal(readFileSync(path, 'utf8'), 'a password', 'default').then((text) => JSON.parse(text));
    const { privateKey } = await kept();
    const over = { accessToken: 'a.e30.b', refreshToken: 'used' };
    writeFileSync(path, await seal(JSON.stringify({ privateKey, session: over }), 'a password', 'default'));
    expect(await world.run(['me'])).toMatchObject({ code: 0, err: '' });
    const { session } = await kept();
    expect(session.refreshToken).not.toBe('used');
    expect(await world.run(['me'])).toMatchObject({ code: 0, err: '' });
    expect((await kept()).session).toEqual(session);
  });

  it('error: a keychain that does not open is told', async () => {
    const path = join(world.folder, 'config/mintage/profiles.json');
    const kept = readFileSync(path, 'utf8');
    writeFileSync(path, kept.replaceAll('"secrets": "file"', '"secrets": "keychain"'));
    const closed = await world.run(['me']);
    writeFileSync(path, kept);
    expect(closed).toMatchObject({ code: 3, err: expect.stringMatching(/^✗ The system’s keychain does not open/) });
  });

  it('behavior: init does not write over secrets of a profile that is gone', async () => {
    const [profiles, away] = ['profiles.json', 'away.json'].map((file) => join(world.folder, 'config/mintage', file));
    if (!profiles || !away) expect.fail();
    renameSync(profiles, away);
    const refused = await world.run(['init', '--new-wallet']);
    renameSync(away, profiles);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('perhaps with the key of a wallet');
    expect((await world.run(['profile', 'export', '--yes'])).out.trim()).toBe(devKey('alice'));
  });

  it('behavior: where there is no checkout, what needs one says so', async () => {
    for (const command of ['dev', 'deploy', 'doctor', 'admin', 'backup', 'restore']) {
      const { code, err } = await world.run([command]);
      expect(code).toBe(2);
      expect(err).toContain('checkout');
    }
  });

  it('behavior: who stops to read ends a list, and no trade', async () => {
    const before = await sentBy(alice());
    const codes = await Promise.all(
      [['tokens'], ['buy', 'paper-boat', '2', '--yes']].map(async (words) => {
        const child = world.start(words);
        child.stdout.destroy();
        child.stderr?.destroy();
        return once(child, 'exit');
      }),
    );
    expect(codes).toEqual([
      [0, null],
      [0, null],
    ]);
    expect(await sentBy(alice())).toBeGreaterThan(before);
  });

  it('error: a service that does not answer, a word too many, a flag that is none', async () => {
    expect(await world.run(['tokens', '--url', 'http://127.0.0.1:9'])).toMatchObject({ code: 6 });
    expect(await world.run(['tokens', 'x'])).toMatchObject({ code: 2 });
    expect(await world.run(['tokens', '--limt', '5'])).toMatchObject({ code: 2 });
    expect(await world.run(['buy', 'paper-boat', '-5'])).toMatchObject({ code: 2 });
  });
});

/** Blocks, so that what is sent becomes final within a test. */
const mineAll = () => {
  const timer = setInterval(() => {
    void rpcRequest(world.system.chains[0]?.rpcUrl ?? '', 'anvil_mine', ['0x20']);
  }, 500);
  return { stop: () => clearInterval(timer) };
};

/** A picture in the folder that commands run in. */
const pixel = (): string => {
  const bytes = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  mkdirSync(world.folder, { recursive: true });
  const path = join(world.folder, 'pixel.png');
  writeFileSync(path, Buffer.from(bytes, 'base64'));
  return path;
};

/** What each command takes, beside --json, so that it does something; of a profile of its own where it changes it. */
const inJson: Record<string, string[]> = {
  init: ['--profile', 'in-json', '--import-wallet'],
  'profile list': [],
  'profile export': ['--profile', 'in-json', '--yes'],
  'profile trust': ['--profile', 'in-json'],
  'profile rpc': ['base-sepolia', '--profile', 'in-json'],
  'keys list': ['--profile', 'in-json'],
  'keys create': ['--profile', 'in-json', '--name', 'json'],
  'webhooks list': ['--profile', 'in-json'],
  logout: ['--profile', 'in-json'],
  login: ['--profile', 'in-json'],
  'profile import': ['--profile', 'in-json', '--force'],
  'profile use': ['in-json'],
  'profile delete': ['in-json', '--yes'],
  tokens: [],
  token: ['paper-boat'],
  search: ['paper', 'boat'],
  trades: ['paper-boat'],
  candles: ['paper-boat'],
  holders: ['paper-boat'],
  portfolio: [],
  fees: [],
  leaderboard: [],
  me: [],
  chains: [],
  quote: ['buy', 'paper-boat', '3'],
  buy: ['paper-boat', '3', '--dry-run'],
  transfer: ['paper-boat', '1', '0x1111111111111111111111111111111111111111', '--dry-run'],
  claim: ['--dry-run'],
  'mint-usd': ['5', '--chain', 'base-sepolia', '--dry-run'],
  send: ['0x1111111111111111111111111111111111111111', '1', '--chain', 'base-sepolia', '--dry-run'],
  'referral show': [],
  api: [],
  completion: ['bash'],
  manual: [],
};

/** Where those are that need what another test makes, or a checkout. */
const elsewhere: string[] = [
  'create',
  'sell',
  'stream',
  'keys revoke',
  'referral create',
  'referral enter',
  'webhooks create',
  'webhooks delete',
  'webhooks rotate',
  'webhooks deliveries',
  'webhooks redeliver',
  'dev',
  'deploy',
  'doctor',
  'admin',
  'backup',
  'restore',
];

/** Undefined: it is no JSON. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

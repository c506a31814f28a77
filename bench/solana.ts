import { readFileSync } from 'node:fs';
import { Launchpad, type Order, type Person, type Token } from '../packages/solana/test/machine/launchpad.ts';
import type { Sent } from '../packages/solana/test/machine/machine.ts';
import { benchSolanaIndexer } from './solanaIndexer.ts';
import { benchSolanaPrepare } from './solanaPrepare.ts';

/**
 * What the Solana program's instructions cost: compute units and bytes of a transaction, in the machine of the tests. Beside it what a
 * peer publishes: pump.fun tells its callers to set a limit of 100,000 units for a trade. Then the service on Solana beside the same on
 * an EVM chain.
 */

const peerTradeUnits = 100_000;
/** What a transaction may have. */
const mostBytes = 1_232;
const tries = 60;

const middle = (numbers: number[]): string => {
  const sorted = numbers.toSorted((one, other) => one - other);
  const [least, median, most] = [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)];
  return `${least} / ${median} / ${most}`;
};

export const benchSolana = async (): Promise<void> => {
  await showUnits();
  await benchSolanaIndexer();
  await benchSolanaPrepare();
};

const showUnits = async (): Promise<void> => {
  const launchpad = await Launchpad.start();
  const { machine } = launchpad;
  const { size } = JSON.parse(
    readFileSync(new URL('../packages/solana/program/launchpad.json', import.meta.url), 'utf8'),
  );
  console.log(
    `program: ${size} bytes, ${(Number(machine.svm.minimumBalanceForRentExemption(BigInt(size + 45))) / 1e9).toFixed(3)} SOL of rent`,
  );
  console.log('\n| | units, least / median / most | bytes | of a peer’s limit |\n|---|---|---|---|');
  const rows = new Map<string, Sent[]>();
  const note = (what: string, sent: Sent): void => {
    if (sent.error !== null) throw new Error(`${what}: ${sent.said}`);
    rows.set(what, [...(rows.get(what) ?? []), sent]);
  };
  const person = (hasUser = true) => launchpad.person({ hasUser });
  const [creator, builder, referral, referrer] = [await person(), await person(), await person(), await person()];
  const named = { builder, builderBps: 50, referral };
  const trade = async (what: string, token: Token, who: Person, order: Order) =>
    note(what, await launchpad.trade(token, who, order));

  for (let at = 0; at < tries; at += 1) {
    const token = await launchpad.create(creator, { poolType: 9, uri: `ipfs://${'b'.repeat(59)}` });
    note(hasFirstBumps(token) ? 'create, with a chosen salt' : 'create, with any salt', token.sent);
    note('create, first of its creator', (await launchpad.create(await person(false), { poolType: 9 })).sent);
    const [plain, whole] = [await person(), await person()];
    launchpad.putReferrer(whole, referrer);
    await trade('buy in the window', token, plain, { kind: 'buyExactIn', amount: 1_000_000n });
    machine.wait(10n);
    await trade('buy', token, plain, { kind: 'buyExactIn', amount: 10_000_000n });
    await trade('buy, trader without a User', token, await person(false), { kind: 'buyExactIn', amount: 1_000_000n });
    await trade('buy with builder, referral, referrer', token, whole, {
      kind: 'buyExactIn',
      amount: 20_000_000n,
      ...named,
      referrer,
    });
    await trade('sell with builder, referral, referrer', token, whole, {
      kind: 'sellExactIn',
      amount: 10n ** 12n,
      ...named,
      referrer,
    });
    await trade('sell, exact dollars', token, plain, { kind: 'sellExactOut', amount: 1_000_000n });
    await trade('last buy, opens the pool', token, plain, { kind: 'buyExactIn', amount: 10n ** 12n });
    await trade('pool: buy', token, plain, { kind: 'buyExactIn', amount: 10_000_000n });
    await trade('pool: sell over the floor’s edge', token, plain, {
      kind: 'sellExactIn',
      amount: machine.balance(await launchpad.tokensOf(token, plain)),
    });
    note('collect the treasury’s share', await machine.send(plain.signer, launchpad.collection(token)));
    note(
      'withdraw from one vault',
      await machine.send(creator.signer, launchpad.withdrawal(creator, 1_000n, [token.places.feeVault])),
    );
    note('withdraw all from 16 vaults', await machine.send(creator.signer, launchpad.withdrawal(creator)));
  }
  for (const [what, list] of rows) {
    const units = list.map((sent) => sent.units);
    const bytes = Math.max(...list.map((sent) => sent.bytes));
    if (bytes > mostBytes) throw new Error(`${what} has ${bytes} bytes.`);
    const share = /buy|sell/.test(what) ? `${((100 * Math.max(...units)) / peerTradeUnits).toFixed(0)} %` : '';
    console.log(`| ${what} | ${middle(units)} | ${bytes} | ${share} |`);
  }
};

/** Whether the addresses of mint and Launch are the first of their seeds: a caller can try salts until they are. */
const hasFirstBumps = ({ instruction }: Token): boolean => instruction.data?.[2] === 255 && instruction.data[3] === 255;

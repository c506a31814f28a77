import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { creationCodeOf } from '@mintage/contracts/deploy';
import { chainBySlug, type EvmDeployment, type UniswapV4 } from '@mintage/protocol';
import { type Address, type Hex, numberToHex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Anvil, startAnvil } from '../src/anvil.ts';
import { devAccounts, devKey } from '../src/devnet.ts';
import { deployLayerZero } from '../src/layerZero/world.ts';
import { placeAt } from '../src/placeAt.ts';
import { rpcRequest } from '../src/rpc.ts';
import { poolManagerCode } from '../src/uniswap.ts';
import { createWallet } from '../src/wallet.ts';

/** docs/mainnets.md, walked by its own commands on stand-ins: real contracts at the addresses of the real chains. */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'mintage-mainnets-'));
const accounts = devAccounts();
const slugs = ['base', 'arbitrum'] as const;
const anvils: Anvil[] = [];

beforeAll(async () => {
  for (const slug of slugs) {
    const chain = chainBySlug(slug);
    const others = slugs.filter((other) => other !== slug).map((other) => chainBySlug(other).eid);
    const anvil = await startAnvil({
      chainId: chain.chainId as number,
      cacheDir: join(scratch, 'cache', slug),
      keptStates: 1_000,
      heartbeat: false,
    });
    anvils.push(anvil);
    const wallet = createWallet(anvil.url, chain.chainId as number);
    for (const { address } of [accounts.deployer, accounts.layerZero, accounts.owner, accounts.guardian])
      await rpcRequest(anvil.url, 'anvil_setBalance', [address, numberToHex(10n ** 24n)]);
    await deployLayerZero(anvil.url, wallet, accounts, chain.eid, others, chain.layerZero);
    const place = (at: Address, code: Hex) => placeAt(anvil.url, wallet, accounts.layerZero, at, code);
    const { address: usd, symbol, decimals } = chain.dollarToken;
    await place(usd as Address, creationCodeOf('TestUSD', [symbol, symbol, decimals]));
    await wallet.send(accounts.layerZero, { to: usd as Address, data: mintTo(accounts.alice.address) });
    await place((chain.venue as UniswapV4).poolManager, poolManagerCode(accounts.layerZero.address));
  }
});
afterAll(async () => {
  for (const anvil of anvils) await anvil.stop();
  rmSync(scratch, { recursive: true, force: true });
});

/** `mint(address,uint256)` of the test dollar. */
const mintTo = (holder: Address): `0x${string}` =>
  `0x40c10f19${holder.slice(2).padStart(64, '0')}${(10n ** 12n).toString(16).padStart(64, '0')}`;

const guide = readFileSync(`${root}docs/mainnets.md`, 'utf8');
/** Its commands, and whether two days pass before. */
const blocks = guide.split('```sh\n').map((part, i, parts) => ({
  commands: part.slice(0, part.indexOf('```')),
  isLater: parts[i - 1]?.trimEnd().endsWith('48 hours later anybody executes it:') ?? false,
}));

/** One shell, as somebody has it open: variables and functions stay. */
const openShell = () => {
  const [base, arbitrum] = anvils as [Anvil, Anvil];
  const bash = spawn('bash', ['-eo', 'pipefail'], {
    cwd: root,
    env: {
      ...process.env,
      PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`,
      MINTAGE_HOME: scratch,
      DEPLOYER_KEY: devKey('deployer'),
      PROPOSER_KEY: devKey('owner'),
      GUARDIAN_KEY: devKey('guardian'),
      PROPOSER: accounts.owner.address,
      GUARDIAN: accounts.guardian.address,
      TREASURY: accounts.treasury.address,
      VOUCHER_SIGNER: accounts.voucherSigner.address,
      DOLLAR_HOLDER: accounts.alice.address,
      RPC_BASE: base.url,
      RPC_ARBITRUM: arbitrum.url,
    },
  });
  const mark = '--- done';
  let printed = '';
  for (const stream of [bash.stdout, bash.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk));
  return {
    /** @returns What they printed. @throws When one of them fails. */
    async run(commands: string): Promise<string> {
      printed = '';
      bash.stdin.write(`${commands}\necho '${mark}'\n`);
      while (!printed.includes(mark)) {
        if (bash.exitCode !== null) throw new Error(`The shell ended with ${bash.exitCode}:\n${printed}`);
        await sleep(20);
      }
      return printed.slice(0, printed.indexOf(mark));
    },
    close: () => bash.stdin.end(),
  };
};

test('a careful operator gets from nothing to two mainnets', async () => {
  const shell = openShell();
  const printed: string[] = [];
  for (const { commands, isLater } of blocks.slice(1)) {
    if (isLater) for (const { url } of anvils) await rpcRequest(url, 'evm_increaseTime', [172_801]);
    printed.push(await shell.run(commands));
  }
  shell.close();
  const [owners, rehearsed, , proofs, paused, , goesOn] = printed;
  expect(owners).toMatch(/^owners: 0x[0-9a-fA-F]{40} on Base, 0x[0-9a-fA-F]{40} on Arbitrum$/m);
  expect(rehearsed?.match(/"gasCost": "0\.\d+"/g)).toHaveLength(2);
  const deployments = [8453, 42161].map(
    (id) => JSON.parse(readFileSync(join(scratch, 'deployments', `${id}.json`), 'utf8')) as EvmDeployment,
  );
  const [onBase, onArbitrum] = deployments as [EvmDeployment, EvmDeployment];
  for (const name of ['launchpad', 'tokenFactory', 'tokenBridge', 'lens'] as const) {
    expect(onBase[name]).toBe(onArbitrum[name]);
    expect(rehearsed).toContain(String(onBase[name]));
  }
  expect(proofs?.match(/^surplus +0 USDC$/gm)).toHaveLength(2);
  expect(proofs).toContain('0 tokens crossed');
  expect(paused).toMatch(/status +1 \(success\)/);
  // Paused is the last of a route's words.
  expect(goesOn?.trim().split('\n').slice(-2)).toEqual(['true', 'false']);
});

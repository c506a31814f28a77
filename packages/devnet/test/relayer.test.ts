import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Hex, keccak256 } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type DevChain,
  type DevChains,
  layerZeroOf,
  localConfirmations,
  type RelayedChain,
  type Relayer,
  startChains,
  startRelayer,
  type Workers,
} from '../src/devnet.ts';
import { until } from '../src/until.ts';
import {
  balanceOn,
  brokenInvariants,
  type CrossingToken,
  confirm,
  isWaiting,
  launchToken,
  outOn,
  sendAcross,
  supplyOn,
} from './crossing.ts';

const oneToken = 10n ** 18n;

let local: DevChains;
let home: DevChain;
let far: DevChain;
let other: DevChain;
let relayer: Relayer | null = null;
let tokens = 0;

beforeAll(async () => {
  local = await startChains(['base-sepolia', 'unichain-testnet', 'bnb-testnet'], {
    heartbeat: false,
    keptStates: 2_000,
  });
  [home, far, other] = local.chains as [DevChain, DevChain, DevChain];
});
afterAll(() => local.stop());
afterEach(async () => {
  await relayer?.stop();
  relayer = null;
});

const relayed = (): RelayedChain[] =>
  local.chains.map(({ chain, rpcUrl }) => ({ eid: chain.eid, chainId: chain.chainId, rpcUrl }));

const relay = (workersFor?: (chain: RelayedChain, honest: Workers) => Workers): void => {
  relayer = startRelayer({
    chains: relayed(),
    layerZero: layerZeroOf(home.accounts),
    accounts: home.accounts,
    confirmations: localConfirmations,
    pollMs: 10,
    ...(workersFor === undefined ? {} : { workersFor }),
  });
};

const newToken = (): Promise<CrossingToken> => {
  tokens += 1;
  return launchToken(home, `Boat ${tokens}`);
};

const holds = (chain: DevChain, token: CrossingToken, amount: bigint) =>
  until(async () => (await supplyOn(chain, token.address)) === amount);

const everywhere = () => [far, other];

describe('startRelayer', () => {
  test('default: a token goes to another chain, where it was not known, and comes back', async () => {
    relay();
    const token = await newToken();
    const held = await balanceOn(home, token.address, token.holder.address);
    await sendAcross(token, home, far, 1_000n * oneToken + 7n);
    expect(await balanceOn(home, token.address, token.holder.address)).toBe(held - 1_000n * oneToken);
    await confirm([home], localConfirmations);
    await holds(far, token, 1_000n * oneToken);
    expect(await outOn(token, far)).toBe(1_000n * oneToken);
    await sendAcross(token, far, home, 400n * oneToken);
    await confirm([far], localConfirmations);
    await until(async () => (await outOn(token, far)) === 600n * oneToken);
    expect(await brokenInvariants(token, everywhere())).toEqual([]);
  });

  test('behavior: nothing is verified before its confirmations', async () => {
    relay();
    const token = await newToken();
    const { nonce } = await sendAcross(token, home, far, oneToken);
    await confirm([home], localConfirmations - 2);
    await sleep(300);
    expect(await isWaiting(home, far, nonce)).toBe(false);
    expect(await supplyOn(far, token.address)).toBe(0n);
    await confirm([home], 2);
    await holds(far, token, oneToken);
  });

  test('X9 a message whose block is reorganised away before it is deep enough is not delivered; its nonce comes again', async () => {
    const token = await newToken();
    const lost = await sendAcross(token, home, far, 5n * oneToken);
    relay();
    await home.rpc('anvil_reorg', [1, []]);
    const held = await balanceOn(home, token.address, token.holder.address);
    const kept = await sendAcross(token, home, far, 6n * oneToken);
    expect(kept.nonce).toBe(lost.nonce);
    expect(kept.guid).toBe(lost.guid);
    await confirm([home], localConfirmations);
    await holds(far, token, 6n * oneToken);
    expect(await balanceOn(home, token.address, token.holder.address)).toBe(held - 6n * oneToken);
    expect(await brokenInvariants(token, everywhere())).toEqual([]);
  });

  test('X3 a relayer that is killed and started again loses and doubles nothing', async () => {
    const token = await newToken();
    const script = fileURLToPath(new URL('./relayerProcess.ts', import.meta.url));
    const start = async () => {
      const child = spawn(process.execPath, [script, JSON.stringify(relayed())], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      return child;
    };
    const sent = [1n, 2n, 3n, 4n].map((amount) => amount * oneToken);
    let child = await start();
    for (const amount of sent) {
      await sendAcross(token, home, far, amount);
      await confirm([home], localConfirmations);
      await sleep(Number(amount / oneToken) * 15);
      child.kill('SIGKILL');
      await once(child, 'exit');
      child = await start();
    }
    await holds(far, token, 10n * oneToken);
    child.kill('SIGKILL');
    expect(await brokenInvariants(token, everywhere())).toEqual([]);
  });

  test('X3 dropped, doubled and reordered work delivers each message once', async () => {
    const token = await newToken();
    let turn = 0;
    relay((_, honest) => ({
      ...honest,
      async verify(packet, verifier) {
        turn += 1;
        if (turn % 3 === 0) throw new Error('dropped');
        await honest.verify(packet, verifier);
        if (turn % 2 === 0) await honest.verify(packet, verifier);
      },
      async deliver(packet) {
        turn += 1;
        if (turn % 4 === 0) return;
        await honest.deliver(packet);
        if (turn % 2 === 0) await honest.deliver(packet);
      },
    }));
    for (const amount of [1n, 2n, 3n, 4n, 5n]) await sendAcross(token, home, far, amount * oneToken);
    await confirm([home], localConfirmations);
    await holds(far, token, 15n * oneToken);
    expect(await brokenInvariants(token, everywhere())).toEqual([]);
  });

  test('X5 a delivery that runs out of gas leaves the message, and it arrives with more', async () => {
    const token = await newToken();
    let starved = 2;
    relay((_, honest) => ({
      ...honest,
      deliver: (packet) => honest.deliver(starved-- > 0 ? { ...packet, gasLimit: 30_000n } : packet),
    }));
    await sendAcross(token, home, far, oneToken);
    await confirm([home], localConfirmations);
    await holds(far, token, oneToken);
    expect(starved).toBeLessThan(0);
  });

  test('X2 one verifier that lies is not enough: the forged message is never committed, the true one arrives', async () => {
    const token = await newToken();
    const refused: string[] = [];
    relay((_, honest) => ({
      ...honest,
      async verify(packet, verifier) {
        const forged: Hex = keccak256('0x1234');
        if (verifier === 'verifierA') {
          await honest.verify({ ...packet, payloadHash: forged }, verifier);
          await honest.commit({ ...packet, payloadHash: forged }).catch((error: Error) => refused.push(error.message));
        }
        await honest.verify(packet, verifier);
      },
    }));
    await sendAcross(token, home, far, oneToken);
    await confirm([home], localConfirmations);
    await holds(far, token, oneToken);
    expect(refused.length).toBeGreaterThan(0);
  });

  test('X8 both verifiers lie: more than is out is never minted at home', async () => {
    const token = await newToken();
    const lied = new Set<bigint>();
    relay((chain, honest) => ({
      ...honest,
      async verify(packet, verifier) {
        if (chain.eid !== home.chain.eid) return honest.verify(packet, verifier);
        // The amount is the last 8 bytes of the message: all that a word of 64 bits holds.
        const message: Hex = `${packet.message.slice(0, -16) as Hex}${'f'.repeat(16)}`;
        const payloadHash = keccak256(`0x${packet.guid.slice(2)}${message.slice(2)}`);
        lied.add(packet.nonce);
        await honest.verify({ ...packet, payloadHash }, verifier);
      },
      commit: (packet) => (chain.eid === home.chain.eid ? honest.commit(forgedOf(packet)) : honest.commit(packet)),
      deliver: (packet) => (chain.eid === home.chain.eid ? honest.deliver(forgedOf(packet)) : honest.deliver(packet)),
    }));
    const forgedOf = <P extends { message: Hex; guid: Hex; payloadHash: Hex }>(packet: P): P => {
      const message: Hex = `${packet.message.slice(0, -16) as Hex}${'f'.repeat(16)}`;
      return { ...packet, message, payloadHash: keccak256(`0x${packet.guid.slice(2)}${message.slice(2)}`) };
    };
    await sendAcross(token, home, far, 9n * oneToken);
    await confirm([home], localConfirmations);
    await holds(far, token, 9n * oneToken);
    const before = await supplyOn(home, token.address);
    const { nonce } = await sendAcross(token, far, home, oneToken);
    await confirm([far], localConfirmations);
    await until(async () => lied.has(nonce) && (await isWaiting(far, home, nonce)));
    await sleep(200);
    expect(await supplyOn(home, token.address)).toBe(before);
    expect(await outOn(token, far)).toBe(9n * oneToken);
    // The path from there stays blocked by the lie; what others do goes on.
    await sendAcross(token, home, other, oneToken);
    await confirm([home], localConfirmations);
    await holds(other, token, oneToken);
  });
});

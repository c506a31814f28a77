import { randomBytes } from 'node:crypto';
import { type Address, type Base58, requireBase58, requireSolanaDeployment, toBase58 } from '@mintage/protocol';
import { tokenAccountOf } from '@mintage/protocol/solana';
import type { PreparedStep } from '../../../src/chain/chainClient.ts';
import { tokensIn } from '../../../src/chain/solana/accounts.ts';
import { bytesOf, hexOf } from '../../../src/chain/solana/bytes.ts';
import { launchpadOf } from '../../../src/chain/solana/launchpad.ts';
import { compileMessage, unsignedTransaction } from '../../../src/chain/solana/message/compile.ts';
import { launchpadInstruction, openTokenAccount } from '../../../src/chain/solana/message/instructions.ts';
import {
  getBalance,
  getMinimumBalanceForRentExemption,
  getMultipleAccounts,
  sendTransaction,
} from '../../../src/chain/solana/rpc/calls.ts';
import type { RpcCall } from '../../../src/chain/wire.ts';
import type { Random } from '../random.ts';
import { startWorld, type World } from '../solana/world.ts';
import type { Effect, Ground, Weather } from './ground.ts';
import { asks, atAnswer, atCall, atStatement, type CallPoints, killPoints } from './killPoints.ts';

/**
 * A local Solana chain. Each step pays an address of its own: either lamports, or one base unit of test dollars by a whole transaction.
 * What is wished is put together here, because the chain answers late while it is busy.
 */
export const startSolanaGround = async (): Promise<Ground> => {
  const world = await startWorld();
  const { on, db } = world;
  const { program, config, dollarMint } = launchpadOf(requireSolanaDeployment(on.served.deployment));
  const ask = <Answer>(call: RpcCall<Answer>): Promise<Answer> => on.wire.request(call, timeoutMs);
  const pay = (): Wished => {
    const to = newAddress();
    return {
      step: { call: { to, data: '0x', value: payment }, gasBound: 0n },
      effect: async () => (await ask(getBalance(to))) / payment,
    };
  };
  const mint = (wallet: Base58): Wished => {
    const owner = newAddress();
    const to = tokenAccountOf(owner, dollarMint, 'token');
    const instructions = [
      openTokenAccount(wallet, owner, dollarMint, 'token'),
      launchpadInstruction(program, 'mintTestUsd', { config, dollarMint, to }, { amount: 1n }),
    ];
    const data = hexOf(unsignedTransaction(compileMessage(wallet, instructions, anyBlockhash)));
    return {
      step: { call: { to: program, data, value: 0n }, gasBound: 0n },
      effect: async () => tokensIn((await ask(getMultipleAccounts([to], 'latest'))).value[0] ?? null),
    };
  };
  return {
    db,
    databaseUrl: world.databaseUrl,
    kek: world.kek,
    proofs: world.proofs,
    chainType: 'solana',
    rpcUrl: on.node.url,
    served: (rpcUrls) => ({ ...on.served, rpcUrls }),
    points: killPoints(calls),
    weather: (random) => new SolanaWeather(world, random),
    newOwner: world.newUser,
    settle: async () => on.mine(untilFinal),
    async wish({ user, wallet: any }, count, random) {
      const wallet = requireBase58(any);
      const made = Array.from({ length: count }, () => (random.chance(0.5) ? pay() : mint(wallet)));
      const id = await world.wish(
        { user, wallet },
        made.map(({ step }) => step),
      );
      return { id, effects: made.map(({ effect }) => effect) };
    },
    async compare() {
      const rent = await ask(getMinimumBalanceForRentExemption(dollarAccountBytes));
      const wallets = new Map<Address, bigint>();
      for (const { wallet, data } of await db.selectFrom('intent_step').select(['wallet', 'data']).execute())
        wallets.set(wallet, (wallets.get(wallet) ?? 0n) + fee + (data === '0x' ? payment : rent));
      for (const [wallet, spent] of wallets) {
        const left = await ask(getBalance(requireBase58(wallet)));
        if (left !== given - spent)
          throw new Error(`${wallet}: ${given - left} lamports were spent, ${spent} are in the tables`);
      }
    },
    stop: world.stop,
  };
};

/** A step to wish for, and how often it happened. */
interface Wished {
  step: PreparedStep;
  effect: Effect;
}

const timeoutMs = 30_000;
/** The signer puts a newer one in its place. */
const anyBlockhash = '11111111111111111111111111111111' as Base58;
const newAddress = (): Base58 => toBase58(randomBytes(32));
/** Lamports of a step: an address with less has to pay rent, and holds nothing. */
const payment = 1_000_000n;
const dollarAccountBytes = 165;
/** Lamports that a new owner gets, and what each transaction costs. */
const given = 10_000_000_000n;
const fee = 5_000n;

const isGone = atCall('asking whether it is gone for good', 'before', (asked) =>
  asked.some(
    ({ method, params }) =>
      method === 'getBlockHeight' && (params[0] as { commitment?: string }).commitment === 'finalized',
  ),
);

const calls: CallPoints = [
  atCall('reading the chain before the lock', 'before', asks('getLatestBlockhash')),
  atCall('trying the call', 'before', asks('simulateTransaction')),
  atCall('committed, before sending', 'before', asks('sendTransaction')),
  atCall('sent, before the answer', 'after', asks('sendTransaction')),
  atCall('looking for the transaction', 'before', asks('getSignatureStatuses')),
  atCall('in a block, before that is read', 'before', asks('getTransaction')),
  isGone,
  atAnswer(
    isGone,
    atStatement(
      'signed again, before that is written',
      'intent_step',
      '^select "hash" from "intent_step"',
      'access exclusive',
    ),
  ),
];

/** Blocks for which the chain takes a blockhash. */
const lifetime = 150;
const untilFinal = 40;
/** Blocks that a fork may take: the others are final. */
const deepest = 30;
/** Moments for which nothing that is sent comes through, and as many for which signers see lifetimes pass, a block each. */
const quiet = 8;

/**
 * Mines, takes blocks away again that are not final, and sends old bytes once more, as any node may that once heard of them. At times no
 * send comes through until lifetimes have passed; then either the blocks by which they passed are taken back, so that the old bytes can
 * land after all, or they become final, so that they never can.
 */
class SolanaWeather implements Weather {
  readonly #world: World;
  readonly #random: Random;
  /** Moments until sends come through again. */
  #quiet = 0;
  reorgs = 0;

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  async pass(): Promise<void> {
    const { on } = this.#world;
    if (this.#quiet > 0) return this.#passQuietly();
    if (this.#random.chance(0.015)) {
      this.#quiet = 2 * quiet;
      on.node.fault({ method: 'sendTransaction', kind: this.#random.pick(['error', 'cut']) });
      this.#fork(1, 4); // what had just landed waits again
    } else {
      if (this.#random.chance(0.03)) this.#fork(1, 3);
      if (this.#random.chance(0.3)) await this.#sendOldBytes(5);
    }
    on.mine(2);
  }

  async #passQuietly(): Promise<void> {
    const { on } = this.#world;
    this.#quiet -= 1;
    on.mine(this.#quiet === quiet ? lifetime - quiet : 1);
    if (this.#quiet > 0) return;
    on.node.clearFaults();
    if (this.#random.chance(0.5)) this.#fork(2 * quiet, deepest);
    else on.mine(untilFinal);
    await this.#sendOldBytes(200);
  }

  #fork(least: number, most: number): void {
    this.#world.on.node.reorg(this.#random.whole(least, most));
    this.reorgs += 1;
  }

  /** Of steps that are open, or ended just now. */
  async #sendOldBytes(most: number): Promise<void> {
    const { db, on } = this.#world;
    const newest = await db.selectFrom('attempt').select('raw').orderBy('signed_at', 'desc').limit(200).execute();
    for (let sent = 0; sent < most && newest.length > 0; sent += 1) {
      const { raw } = newest.splice(this.#random.whole(0, newest.length - 1), 1)[0] as { raw: `0x${string}` };
      await on.wire.request(sendTransaction(bytesOf(raw), { isTried: false }), timeoutMs);
    }
  }
}

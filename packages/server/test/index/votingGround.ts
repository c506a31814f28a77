import { randomUUID } from 'node:crypto';
import type { Address, Decimals, Eid, Hash } from '@mintage/protocol';
import { sql } from 'kysely';
import { makeMonths } from '../../src/db/months.ts';
import type { Db } from '../../src/db/serviceTables.ts';
import { takeChain } from '../../src/db/votingLocks.ts';
import { loseWeight, takeBackLosses } from '../../src/index/aggregates/votes.ts';
import { eids } from '../eids.ts';
import type { Random } from './random.ts';

/**
 * One token on two chains, whose blocks are nothing but transfers and crossings, written into the tables as pages do it. Each chain
 * is indexed at a pace of its own and goes back at times.
 */
export const supply = 1_000n;
export const walletsOf = (count: number): Address[] =>
  Array.from({ length: count }, (_, i): Address => `0x${(i + 1).toString(16).padStart(40, 'a')}`);
export const wallets = walletsOf(8);
const nobody: Address = `0x${'0'.repeat(40)}`;
const token: Address = `0x${'f'.repeat(40)}`;
const start = Date.UTC(2026, 0, 5);

interface Message {
  nonce: number;
  from: Eid;
  to: Eid;
  sender: Address;
  recipient: Address;
  amount: bigint;
  sentAt: number;
  /** Block of the other chain; null: on its way. */
  arrivedAt: number | null;
}

type Fact =
  | { kind: 'transfer'; sender: Address; recipient: Address; amount: bigint }
  | { kind: 'sent' | 'received'; message: Message };

interface Chain {
  eid: Eid;
  decimals: Pick<Decimals, 'token'>;
  /** Facts by block, from block 1. */
  blocks: Fact[][];
  indexed: number;
  /** Blocks up to here are never undone. */
  finalized: number;
}

export class VotingGround {
  readonly tokenId = randomUUID();
  readonly chains: readonly Chain[];
  readonly #db: Db;
  readonly #random: Random;
  readonly #messages: Message[] = [];

  /** @param on - The token's home, and the other chain. */
  constructor(db: Db, random: Random, on: readonly [Eid, Eid] = [eids.ethereum, eids.base]) {
    this.#db = db;
    this.#random = random;
    this.chains = on.map((eid) => ({ eid, decimals: { token: 18 }, blocks: [], indexed: 0, finalized: 0 }));
  }

  /** @param first - Who hold all of it at first, each as much. */
  async begin(first: readonly Address[] = wallets): Promise<void> {
    const [home, other] = this.chains as [Chain, Chain];
    await makeMonths(this.#db as never, [new Date(start)]);
    for (const { eid } of this.chains)
      await sql`insert into chain (eid, slug, usd, usd_decimals, launchpad, indexed)
        values (${eid}, ${String(eid)}, ${nobody}, 6, ${nobody}, 0)`.execute(this.#db);
    await sql`insert into token (eid, address, token_id, platform_id, creator, pool_type, name, symbol, uri, salt, created_at,
        block_number, log_index, tx_hash, virtual_tokens, virtual_usd, start_price_usd18, price_usd18)
      values (${home.eid}, ${token}, ${this.tokenId}, ${`0x${'0'.repeat(64)}`}, ${nobody}, 7, 'T', 'T', '', '0x', now(), 0, 0, '0x', 1, 1, 1,
        ${3n * 10n ** 18n})`.execute(this.#db);
    await sql`insert into remote_token (eid, address, home_eid, token_id, platform_id, creator, salt, name, symbol, registered_at,
        block_number, log_index, tx_hash, supply, holders)
      values (${other.eid}, ${token}, ${home.eid}, ${this.tokenId}, '0x', ${nobody}, '0x', 'T', 'T', now(), 0, 0, '0x', 0, 0)`.execute(
      this.#db,
    );
    home.blocks.push(
      first.map((recipient) => ({
        kind: 'transfer',
        sender: nobody,
        recipient,
        amount: supply / BigInt(first.length),
      })),
    );
  }

  /** One more block of a chain, by chance. */
  mine(chain: Chain): void {
    const facts: Fact[] = [];
    const number = chain.blocks.length + 1;
    for (let i = this.#random.whole(0, 3); i > 0; i -= 1) {
      const held = this.held(chain, number, facts);
      const sender = this.#random.pick(wallets);
      const recipient = this.#random.pick(wallets);
      const all = held.get(sender) ?? 0n;
      const waiting = this.#messages.filter((one) => one.to === chain.eid && one.arrivedAt === null);
      if (this.#random.chance(0.3) && waiting.length > 0) {
        const message = this.#random.pick(waiting);
        message.arrivedAt = number;
        facts.push({ kind: 'transfer', sender: nobody, recipient: message.recipient, amount: message.amount });
        facts.push({ kind: 'received', message });
      } else if (all > 0n) {
        const amount = this.#random.chance(0.4) ? all : this.#random.amount(all);
        const isCrossing = this.#random.chance(0.3);
        const own = isCrossing && this.#random.chance(0.6) ? sender : recipient;
        facts.push(...this.#moved(chain, { sender, recipient: own, amount }, isCrossing));
      }
    }
    this.#add(chain, facts);
  }

  /** One more block of a chain, in which all that a wallet holds there goes to another one, or to the other chain. */
  pass(chain: Chain, sender: Address, recipient: Address, isCrossing: boolean): void {
    const amount = this.held(chain, chain.blocks.length).get(sender) ?? 0n;
    this.#add(chain, amount === 0n ? [] : this.#moved(chain, { sender, recipient, amount }, isCrossing));
  }

  /** One more block of a chain, in which all that is on its way to it arrives. */
  arrive(chain: Chain): void {
    const waiting = this.#messages.filter((one) => one.to === chain.eid && one.arrivedAt === null);
    this.#add(
      chain,
      waiting.flatMap((message): Fact[] => {
        message.arrivedAt = chain.blocks.length + 1;
        const { recipient, amount } = message;
        return [
          { kind: 'transfer', sender: nobody, recipient, amount },
          { kind: 'received', message },
        ];
      }),
    );
  }

  #add(chain: Chain, facts: Fact[]): void {
    chain.blocks.push(facts);
    chain.finalized = Math.max(chain.finalized, chain.blocks.length - 7);
  }

  #moved(chain: Chain, move: Pick<Message, 'sender' | 'recipient' | 'amount'>, isCrossing: boolean): Fact[] {
    if (!isCrossing) return [{ kind: 'transfer', ...move }];
    const to = this.chains.find((one) => one !== chain)?.eid as Eid;
    const nonce = this.#messages.length + 1;
    const message = { ...move, nonce, from: chain.eid, to, sentAt: chain.blocks.length + 1, arrivedAt: null };
    this.#messages.push(message);
    return [
      { kind: 'transfer', ...move, recipient: nobody },
      { kind: 'sent', message },
    ];
  }

  /** Drops blocks that may go: a message that has arrived stays sent. */
  reorg(chain: Chain): void {
    const kept = Math.max(
      1,
      chain.finalized,
      chain.blocks.length - this.#random.whole(1, 6),
      ...this.#messages.filter((one) => one.from === chain.eid && one.arrivedAt !== null).map(({ sentAt }) => sentAt),
    );
    if (kept >= chain.blocks.length) return;
    for (const message of this.#messages)
      if (message.to === chain.eid && message.arrivedAt !== null && message.arrivedAt > kept) message.arrivedAt = null;
    const undone = this.#messages.filter((one) => one.from === chain.eid && one.sentAt > kept);
    for (const message of undone) message.to = 0 as Eid; // it never was
    chain.blocks.length = kept;
  }

  held(chain: Chain, upTo: number, more: readonly Fact[] = []): Map<Address, bigint> {
    const held = new Map<Address, bigint>();
    const add = (wallet: Address, amount: bigint) => held.set(wallet, (held.get(wallet) ?? 0n) + amount);
    for (const fact of [...chain.blocks.slice(0, upTo).flat(), ...more]) {
      if (fact.kind !== 'transfer') continue;
      add(fact.sender, -fact.amount);
      add(fact.recipient, fact.amount);
    }
    held.delete(nobody);
    return held;
  }

  /** What losses are measured by, at the end of each block from 0 on: what is held, and what left for an own wallet, less what came from other chains. */
  #levels(chain: Chain, own: readonly string[]): bigint[] {
    const levels = [0n];
    for (const facts of chain.blocks) {
      let level = levels.at(-1) as bigint;
      for (const fact of facts) {
        if (fact.kind === 'transfer') {
          if (own.includes(fact.recipient)) level += fact.amount;
          if (own.includes(fact.sender)) level -= fact.amount;
          continue;
        }
        const { sender, recipient, amount } = fact.message;
        if (fact.kind === 'sent' && own.includes(sender) && own.includes(recipient)) level += amount;
        if (fact.kind === 'received' && own.includes(recipient)) level -= amount;
      }
      levels.push(level);
    }
    return levels;
  }

  /** Votes that this token weighs, and what each of them should weigh, counted the slow way. */
  async votes(): Promise<{ vote_id: number; target_id: string; weight: bigint; expected: bigint }[]> {
    const votes = await this.#db
      .selectFrom('vote')
      .innerJoin('voter', 'voter.voter_id', 'vote.voter_id')
      .select(['vote.vote_id', 'vote.base', 'weight', 'wallets', 'target_id'])
      .where('token_id', '=', this.tokenId)
      .orderBy('vote_id')
      .execute();
    const places = await this.#db.selectFrom('vote_place').selectAll().execute();
    const placeOf = new Map(places.map((place) => [`${place.vote_id} ${place.eid}`, place]));
    const levels = new Map<string, bigint[]>();
    return votes.map(({ base: total, wallets: own, ...vote }) => {
      const lost = this.chains.map((chain) => {
        const { base = 0n, start_block: start = 0 } = placeOf.get(`${vote.vote_id} ${chain.eid}`) ?? {};
        const key = `${chain.eid} ${own}`;
        const all = levels.get(key) ?? this.#levels(chain, own);
        levels.set(key, all);
        const since = all.slice(Math.min(start, chain.indexed), chain.indexed + 1);
        return since.reduce((most, level) => (base - level > most ? base - level : most), 0n);
      });
      const left = lost.reduce((weight, one) => weight - one, total);
      return { ...vote, expected: left > 0n ? left : 0n };
    });
  }

  /** What is held by what is indexed of both chains; what crosses counts once, wherever it is seen. */
  holding(own: readonly string[]): bigint {
    const indexed = (eid: Eid) => this.chains.find((chain) => chain.eid === eid)?.indexed ?? 0;
    let sum = 0n;
    for (const chain of this.chains)
      for (const [wallet, amount] of this.held(chain, chain.indexed)) if (own.includes(wallet)) sum += amount;
    for (const { from, to, sender, recipient, amount, sentAt, arrivedAt } of this.#messages) {
      const left = to !== 0 && sentAt <= indexed(from);
      const arrived = arrivedAt !== null && arrivedAt <= indexed(to);
      if (left && !arrived && own.includes(sender) && own.includes(recipient)) sum += amount;
      if (arrived && !left) sum -= amount; // whoever has it by now
    }
    return sum > 0n ? sum : 0n;
  }

  /** Writes the next blocks, at most so many, as one page. */
  async index(chain: Chain, most: number): Promise<void> {
    const from = chain.indexed;
    const to = Math.min(chain.blocks.length, from + most);
    if (to <= from) return;
    await this.#db.transaction().execute(async (tx) => {
      await takeChain(tx as never, chain.eid);
      await sql`update chain set indexed = ${to} where eid = ${chain.eid}`.execute(tx);
      const senders = new Set<Address>();
      let index = 0;
      for (let number = from + 1; number <= to; number += 1) {
        for (const fact of chain.blocks[number - 1] as Fact[]) {
          index += 1;
          const hash: Hash = `0x${index}`;
          const at = { eid: chain.eid, token, time: timeOf(number), block_number: number, log_index: index };
          const origin = { ...at, block_hash: hash, tx_hash: hash };
          if (fact.kind === 'transfer') {
            const { sender, recipient, amount } = fact;
            senders.add(sender);
            await tx
              .insertInto('transfer')
              .values({ ...origin, sender, recipient, amount, is_leg: false, holders: 0 })
              .execute();
            continue;
          }
          const { nonce, amount, sender, recipient, from: src_eid, to: dst_eid } = fact.message;
          const guid: Hash = `0x${nonce.toString(16).padStart(64, '0')}`;
          if (fact.kind === 'sent')
            await tx
              .insertInto('bridge_sent')
              .values({ ...origin, dst_eid, nonce, guid, sender, recipient, amount, native_fee: 0n, registers: false })
              .execute();
          else
            await tx
              .insertInto('bridge_received')
              .values({ ...origin, src_eid, nonce, guid, recipient, amount })
              .execute();
        }
      }
      await this.#writeBalances(tx, chain, to);
      const blocks = {
        from,
        to,
        since: timeOf(from + 1),
        senders: new Map([[token, senders]]),
        finalized: chain.finalized,
      };
      // Whoever has just had blocks undone is near the head.
      await loseWeight(tx as never, chain, blocks, true);
    });
    chain.indexed = to;
  }

  /** Takes back blocks that are no longer of the chain. */
  async undo(chain: Chain): Promise<void> {
    const to = chain.blocks.length;
    if (to >= chain.indexed) return;
    await this.#db.transaction().execute(async (tx) => {
      await takeChain(tx as never, chain.eid);
      await sql`update chain set indexed = ${to} where eid = ${chain.eid}`.execute(tx);
      for (const table of ['transfer', 'bridge_sent', 'bridge_received'] as const)
        await tx.deleteFrom(table).where('eid', '=', chain.eid).where('block_number', '>', to).execute();
      await this.#writeBalances(tx, chain, to);
      await takeBackLosses(tx as never, chain, to, chain.finalized);
    });
    chain.indexed = to;
  }

  async #writeBalances(tx: Db, chain: Chain, upTo: number): Promise<void> {
    await tx.deleteFrom('balance').where('eid', '=', chain.eid).execute();
    const at = { eid: chain.eid, token, first_acquired: timeOf(1), updated_at: timeOf(1) };
    for (const [wallet, amount] of this.held(chain, upTo))
      await tx
        .insertInto('balance')
        .values({ ...at, wallet, amount })
        .execute();
  }
}

const timeOf = (block: number): Date => new Date(start + block * 1_000);

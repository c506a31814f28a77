import type { Address, ChainType } from '@mintage/protocol';
import type { Db } from '../../../src/sign/context.ts';
import type { Random } from '../random.ts';
import type { KillPoint } from './killPoints.ts';
import type { SignerGround } from './signerChild.ts';

/** Someone whose wallet a signer made. */
export interface Owner {
  user: string;
  wallet: Address;
}

/** How often a step happened, as the chain says. */
export type Effect = () => Promise<bigint>;

/** A chain to kill signers on, with a real database: what differs between families of chains. */
export interface Ground extends SignerGround {
  db: Db;
  chainType: ChainType;
  /** Where signers are killed; no multiple of 3 of them. */
  points: readonly KillPoint[];
  weather(random: Random): Weather;
  /** An owner with coins. Needs a signer. */
  newOwner(): Promise<Owner>;
  /** Puts so many blocks on top that no reorg takes the owners' coins. */
  settle(): Promise<void>;
  /** Wishes for an intent of so many steps, each with an effect of its own. */
  wish(owner: Owner, steps: number, random: Random): Promise<{ id: string; effects: readonly Effect[] }>;
  /** @throws Error when the wallets sent more or less than the tables say. */
  compare(): Promise<void>;
  stop(): Promise<void>;
}

/** What a chain does to whoever sends. */
export interface Weather {
  reorgs: number;
  /** The next moment: blocks come, and some leave again that nobody holds for final. */
  pass(): Promise<void>;
}

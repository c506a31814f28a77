import { type ChainType, chainTypeOf } from '@mintage/protocol';
import type { Kysely } from 'kysely';
import { Bell } from '../bell.ts';
import type { ServedChain } from '../chain/servedChain.ts';
import { reasonOf } from '../chain/wire.ts';
import { type Database } from '../db/chainTables.ts';
import type { IntentVerification } from '../db/intentProof.ts';
import { type Listener, listen } from '../db/listen.ts';
import { type SignerDatabase, signerChannel, signerConnection } from '../db/signerTables.ts';
import { type KeyEncryption, refuseForeignSeals } from '../keys/keys.ts';
import type { Log } from '../log.ts';
import type { Context } from './context.ts';
import { defaultKeeper, type KeeperConfig, type KeptChain, keepTokens } from './keeper/keeper.ts';
import { refuseExpired } from './lanes/intents.ts';
import { ChainWatch } from './lanes/watchChain.ts';
import { defaultPolicy, type PolicyConfig } from './policy/policy.ts';
import type { SigningFamily } from './sender.ts';
import type { SigningLog } from './signingLog/signingLog.ts';
import { makeWallets } from './wallets/makeWallets.ts';
import { walletKeys } from './wallets/walletSeal.ts';

export type { ServedChain } from '../chain/servedChain.ts';
export { verifyIntents } from '../db/intentProof.ts';
export type { Log } from '../log.ts';
export type { SigningFamily } from './sender.ts';
export { openSigningLog, type SigningLog } from './signingLog/signingLog.ts';
export { walletKeys } from './wallets/walletSeal.ts';

export interface SignerConfig {
  /** With its tables (`migrate(db)`) and a connection to spare. */
  db: Kysely<Database>;
  chains: readonly ServedChain[];
  /** Of each of these chains, by the word of the wire: wallets are one a user and word. */
  families: ReadonlyMap<ChainType, SigningFamily>;
  /** Seals and opens wallets. */
  keys: KeyEncryption;
  /** Knows the keys by which the API vouches for intents. */
  intents: IntentVerification;
  /** Shared by all signers on this database. */
  signingLog: SigningLog;
  log: Log;
  /** Polling interval for open steps, milliseconds; 1000 when absent. */
  pollMs?: number | undefined;
  /** Policy settings; absent ones have their defaults. */
  policy?: Partial<PolicyConfig>;
  /** Graduates sold-out tokens that nobody else graduates; absent: no keeper. Absent settings have their defaults. */
  keeper?: Partial<KeeperConfig> | undefined;
}

export interface Signer {
  /** Stops after the current work; open steps are continued by another signer, or after the next start. */
  stop(): Promise<void>;
}

/**
 * Creates wallets, signs the intents that the API queued, and sends them until they are final. Several processes may
 * run it on one database; all of its state is in there. docs/decisions/0023-sending.md
 *
 * @throws Error for a chain whose family is absent.
 * @throws KekMissingError when a wallet is sealed by a KEK that is not configured.
 */
export const startSigner = async (config: SignerConfig): Promise<Signer> => {
  const { db, chains, families, keys, intents, signingLog, log, pollMs = 1_000 } = config;
  await refuseForeignSeals(db, keys, [walletKeys]);
  const policy = { ...defaultPolicy, ...config.policy };
  const context: Context = { db: db.withTables<SignerDatabase>(), keys, intents, signingLog, log, pollMs, policy };
  const served = chains.map((one) => ({
    chain: one.chain,
    sender: familyOf(one, families).createSender(context, one),
  }));
  const watches = served.map(({ chain, sender }) => new ChainWatch(context, chain, sender));
  const keeper = config.keeper && { ...defaultKeeper, ...config.keeper };
  const chores = new Chores(context, families, served, keeper);
  const listener: Listener = listen(db, {
    channel: signerChannel,
    name: signerConnection,
    heard: () => {
      chores.ring();
      for (const watch of watches) watch.ring();
    },
    onError: (error) => log.warn({ reason: error.message }, 'the signer does not hear the database for now'),
  });
  return {
    stop: async () => {
      await listener.stop();
      await Promise.all([chores.stop(), ...watches.map((watch) => watch.stop())]);
      await Promise.all(served.map(({ sender }) => sender.stop()));
    },
  };
};

const familyOf = ({ chain }: ServedChain, families: SignerConfig['families']): SigningFamily => {
  const found = families.get(chainTypeOf(chain));
  if (found === undefined) throw new Error(`Nothing here signs for ${chain.slug}.`);
  return found;
};

/** Records revoked credentials in the signing log, where restoring an earlier database does not revive them. */
const noteRevocations = async ({ db, signingLog }: Context): Promise<void> => {
  const revoked = await db
    .selectFrom('budget')
    .select('credential')
    .where('ended_at', 'is not', null)
    .where('revocation_noted', '=', false)
    .limit(notedAtOnce)
    .execute();
  for (const { credential } of revoked) {
    await signingLog.revoke(credential);
    await db.updateTable('budget').set({ revocation_noted: true }).where('credential', '=', credential).execute();
  }
};
const notedAtOnce = 100;

/** Work that needs no chain: creating wallets and refusing expired intents, even while every provider is silent. */
class Chores {
  readonly #bell = new Bell();
  readonly #done: Promise<void>;
  #stopping = false;

  constructor(
    context: Context,
    families: SignerConfig['families'],
    chains: readonly KeptChain[],
    keeper: KeeperConfig | undefined,
  ) {
    this.#done = this.#run(context, families, chains, keeper);
  }

  ring(): void {
    this.#bell.ring();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#bell.ring();
    await this.#done;
  }

  async #run(
    context: Context,
    families: SignerConfig['families'],
    chains: readonly KeptChain[],
    keeper: KeeperConfig | undefined,
  ): Promise<void> {
    const eids = chains.map(({ chain }) => chain.eid);
    let trouble = '';
    while (!this.#stopping) {
      try {
        if (await makeWallets(context, families)) this.#bell.ring();
        if (eids.length > 0) await refuseExpired(context, eids);
        await noteRevocations(context);
        if (keeper !== undefined) await keepTokens(context, chains, keeper);
        trouble = '';
      } catch (error) {
        const reason = reasonOf(error);
        if (reason !== trouble) context.log.warn({ reason, err: error }, 'wallets cannot be made now');
        trouble = reason;
      }
      await this.#bell.wait(context.pollMs);
    }
  }
}

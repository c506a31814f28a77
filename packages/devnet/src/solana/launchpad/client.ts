import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Address,
  appendTransactionMessageInstructions,
  type Base64EncodedWireTransaction,
  createDefaultRpcTransport,
  createSolanaRpcFromTransport,
  createTransactionMessage,
  devnet,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  type KeyPairSigner,
  lamports,
  pipe,
  type RpcDevnet,
  type Signature,
  type SolanaRpcApiDevnet,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signBytes,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { noAnswer } from '../../noAnswer.ts';

/** Far longer than a local chain needs for a transaction. */
const longestMs = 300_000;
const lookEveryMs = 50;
const signatureBytes = 64;

type Lifetime = Parameters<typeof setTransactionMessageLifetimeUsingBlockhash>[0];

/** Sends transactions to a Solana node, whichever it is, and waits for them. */
export class Client {
  readonly rpc: RpcDevnet<SolanaRpcApiDevnet>;

  constructor(url: string) {
    const transport = createDefaultRpcTransport({ url: devnet(url) });
    const named = async <Answer>(request: Parameters<typeof transport>[0]) => {
      try {
        return await transport<Answer>(request);
      } catch (cause) {
        throw noAnswer(url, cause);
      }
    };
    this.rpc = createSolanaRpcFromTransport(named as typeof transport); // the kind of cluster is part of the type
  }

  async exists(at: Address): Promise<boolean> {
    const { value } = await this.rpc.getAccountInfo(at, { commitment: 'confirmed', encoding: 'base64' }).send();
    return value !== null;
  }
  /** Null where there is no account. */
  async dataOf(at: Address): Promise<Uint8Array | null> {
    const { value } = await this.rpc.getAccountInfo(at, { commitment: 'confirmed', encoding: 'base64' }).send();
    return value === null ? null : new Uint8Array(Buffer.from(value.data[0], 'base64'));
  }
  async airdrop(to: Address, amount: bigint): Promise<void> {
    await this.#landed([await this.rpc.requestAirdrop(to, lamports(amount)).send()]);
  }
  async send(payer: KeyPairSigner, ...instructions: Instruction[]): Promise<void> {
    await this.sendAll(payer, [instructions]);
  }
  /**
   * Transactions that do not need each other, all at once. Who else has to sign stands in the instructions.
   *
   * @throws Error when one is refused or fails; the others may have landed.
   */
  async sendAll(payer: KeyPairSigner, transactions: readonly (readonly Instruction[])[]): Promise<void> {
    const lifetime = await this.#lifetime();
    const posted = transactions.map((instructions) => this.#post(payer, instructions, lifetime, false));
    await this.#landed(await Promise.all(posted));
  }
  /**
   * Signs and sends a whole transaction that waits for this signature alone.
   *
   * @param transaction - With an empty place for the signature in front.
   * @param mine - Makes the blocks that it lands in.
   */
  async sendPrepared(signer: KeyPairSigner, transaction: Uint8Array, mine: () => void): Promise<void> {
    const signed = Buffer.from(transaction);
    signed.set(await signBytes(signer.keyPair.privateKey, signed.subarray(signatureBytes + 1)), 1);
    const wire = signed.toString('base64') as Base64EncodedWireTransaction;
    const options = { encoding: 'base64', preflightCommitment: 'confirmed' } as const;
    const signature = await this.rpc.sendTransaction(wire, options).send();
    mine();
    await this.#landed([signature]);
  }
  /** Sends without waiting for it, also what will fail: the next block has it. */
  async post(payer: KeyPairSigner, ...instructions: Instruction[]): Promise<Signature> {
    return this.#post(payer, instructions, await this.#lifetime(), true);
  }

  async #lifetime(): Promise<Lifetime> {
    return (await this.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()).value;
  }
  async #post(
    payer: KeyPairSigner,
    instructions: readonly Instruction[],
    lifetime: Lifetime,
    skipPreflight: boolean,
  ): Promise<Signature> {
    const signed = await pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayerSigner(payer, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions(instructions, message),
      signTransactionMessageWithSigners,
    );
    const wire = getBase64EncodedWireTransaction(signed);
    const options = { encoding: 'base64', preflightCommitment: 'confirmed', skipPreflight } as const;
    await this.rpc.sendTransaction(wire, options).send();
    return getSignatureFromTransaction(signed);
  }

  /** Resolves once all are confirmed. */
  async #landed(signatures: readonly Signature[]): Promise<void> {
    const deadline = performance.now() + longestMs;
    for (let left = [...signatures]; ; await sleep(lookEveryMs)) {
      const { value } = await this.rpc.getSignatureStatuses(left.slice(0, 256)).send();
      for (const [at, status] of value.entries())
        if (status?.err) throw new Error(`${left[at]} failed: ${JSON.stringify(status.err, bigintText)}`);
      left = left.filter((_, at) => !['confirmed', 'finalized'].includes(value[at]?.confirmationStatus ?? ''));
      if (left.length === 0) return;
      if (performance.now() > deadline) throw new Error(`${left[0]} has not landed within five minutes.`);
    }
  }
}

const bigintText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

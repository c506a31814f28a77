import {
  type Address,
  appendTransactionMessageInstruction,
  compileTransaction,
  createTransactionMessage,
  generateKeyPairSigner,
  lamports,
  pipe,
  setTransactionMessageFeePayer,
  signTransaction,
} from '@solana/kit';
import { FailedTransactionMetadata, LiteSVM } from 'litesvm';

export type Outcome = { returned: Buffer; units: number } | { failed: string };

/** The cluster's machine in this process. */
export const createMachine = async () => {
  const machine = new LiteSVM();
  const payer = await generateKeyPairSigner();
  machine.airdrop(payer.address, lamports(10_000_000_000n));

  const call = async (programAddress: Address, data: Uint8Array): Promise<Outcome> => {
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayer(payer.address, message),
      (message) => machine.setTransactionMessageLifetimeUsingLatestBlockhash(message),
      (message) => appendTransactionMessageInstruction({ programAddress, data }, message),
    );
    const result = machine.sendTransaction(await signTransaction([payer.keyPair], compileTransaction(message)));
    if (result instanceof FailedTransactionMetadata)
      return { failed: result.meta().logs().join('\n') || result.toString() };
    return { returned: Buffer.from(result.returnData().data()), units: Number(result.computeUnitsConsumed()) };
  };

  return {
    /** Puts a program at an address of its own and calls it once. */
    async run(program: Uint8Array, data: Uint8Array = new Uint8Array()): Promise<Outcome> {
      const { address } = await generateKeyPairSigner();
      machine.addProgram(address, program);
      return call(address, data);
    },
  };
};

export type Machine = Awaited<ReturnType<typeof createMachine>>;

/** What a program returned, as integers of 64 bits. */
export const integersOf = (outcome: Outcome): bigint[] => {
  if ('failed' in outcome) throw new Error(outcome.failed);
  return Array.from({ length: outcome.returned.length / 8 }, (_, index) => outcome.returned.readBigUInt64LE(8 * index));
};

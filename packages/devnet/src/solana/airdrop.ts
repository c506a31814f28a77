import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  type KeyPairSigner,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { devKey } from '../accounts.ts';
import type { Ledger } from './ledger.ts';
import { emptyAccount } from './machine/account.ts';
import { type State } from './machine/state.ts';
import { readTransaction } from './machine/transaction.ts';

/** Who gives away lamports: everybody gets theirs by a transaction of its own. */
export const openAirdrop = async (state: State): Promise<KeyPairSigner> => {
  const giver = await createKeyPairSignerFromPrivateKeyBytes(Buffer.from(devKey('faucet').slice(2), 'hex'));
  const most = lamports(1n << 62n);
  if (!state.svm.getAccount(giver.address).exists)
    state.svm.setAccount({ ...emptyAccount(giver.address), lamports: most });
  return giver;
};

let count = 0;

export const airdropOf =
  (ledger: Ledger, giver: KeyPairSigner) =>
  async (to: Address, amount: bigint): Promise<string> => {
    // Equal transactions would be one and the same; the limit that differs is above what they need.
    count += 1;
    const { hash, height } = ledger.tip;
    const lifetime = { blockhash: hash as Blockhash, lastValidBlockHeight: BigInt(height) };
    const signed = await pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayerSigner(giver, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstructions([limit(10_000 + count), transfer(giver, to, amount)], message),
      signTransactionMessageWithSigners,
    );
    const read = readTransaction(Uint8Array.from(getTransactionEncoder().encode(signed)));
    ledger.take(read);
    return read.signature;
  };

const limit = (units: number): Instruction => {
  const data = Buffer.alloc(5);
  data.writeUInt8(2);
  data.writeUInt32LE(units, 1);
  return { programAddress: address('ComputeBudget111111111111111111111111111111'), data };
};

const transfer = (from: KeyPairSigner, to: Address, amount: bigint): Instruction => {
  const data = Buffer.alloc(12);
  data.writeUInt32LE(2);
  data.writeBigUInt64LE(amount, 4);
  const accounts = [
    { address: from.address, role: AccountRole.WRITABLE_SIGNER, signer: from },
    { address: to, role: AccountRole.WRITABLE },
  ];
  return { programAddress: address('11111111111111111111111111111111'), accounts, data };
};

import { getBase58Decoder, getBase64Decoder } from '@solana/kit';
import type { Block } from '../ledger.ts';
import type { Landed } from '../machine/outcome.ts';
import { readTransaction } from '../machine/transaction.ts';
import type { Config } from '../wire/params.ts';
import { refused } from '../wire/rpcError.ts';

/** Transactions and blocks as a cluster answers them. */

type Shape = Pick<Config, 'encoding' | 'maxSupportedTransactionVersion' | 'transactionDetails'>;

/** @throws RpcError for a version that the caller has not said it can read. */
export const transactionJson = (landed: Landed, shape: Shape): Record<string, unknown> => {
  const { version } = landed;
  const most = shape.maxSupportedTransactionVersion;
  if (version !== 'legacy' && (most == null || most < version)) throw refused.version(version);
  return {
    transaction: bodyJson(landed, shape.encoding ?? 'json'),
    meta: metaJson(landed),
    ...(most == null ? {} : { version }),
  };
};

const bodyJson = (landed: Landed, encoding: string): unknown => {
  switch (encoding) {
    case 'base64':
      return [getBase64Decoder().decode(landed.wire), 'base64'];
    case 'base58':
      return [getBase58Decoder().decode(landed.wire), 'base58'];
    case 'json':
      return messageJson(landed);
    default:
      throw refused.params(`Invalid params: unknown variant \`${encoding}\``);
  }
};

const messageJson = (landed: Landed): unknown => {
  const { signatures, message } = readTransaction(landed.wire);
  return {
    signatures,
    message: {
      accountKeys: message.keys,
      header: {
        numRequiredSignatures: message.signers,
        numReadonlySignedAccounts: message.readonlySigners,
        numReadonlyUnsignedAccounts: message.readonlyOthers,
      },
      recentBlockhash: message.blockhash,
      instructions: message.instructions.map(({ program, accounts, data }) => ({
        programIdIndex: program,
        accounts,
        data: getBase58Decoder().decode(data),
        stackHeight: 1,
      })),
      ...(message.version === 'legacy'
        ? {}
        : {
            addressTableLookups: message.lookups.map(({ table, writable, readonly }) => ({
              accountKey: table,
              writableIndexes: writable,
              readonlyIndexes: readonly,
            })),
          }),
    },
  };
};

export const statusOf = (error: Landed['error']): unknown => (error === null ? { Ok: null } : { Err: error });

const metaJson = (landed: Landed): unknown => ({
  err: landed.error,
  status: statusOf(landed.error),
  fee: landed.fee,
  preBalances: landed.before.lamports,
  postBalances: landed.after.lamports,
  preTokenBalances: landed.before.tokens,
  postTokenBalances: landed.after.tokens,
  innerInstructions: landed.inner,
  logMessages: landed.logs,
  computeUnitsConsumed: landed.units,
  loadedAddresses: landed.loaded,
  rewards: [],
  ...(landed.returnData === null ? {} : { returnData: landed.returnData }),
});

export const blockJson = (block: Block, shape: Shape): unknown => ({
  blockhash: block.hash,
  previousBlockhash: block.parentHash,
  parentSlot: block.parentSlot,
  blockHeight: block.height,
  blockTime: block.time,
  rewards: [],
  ...contentsOf(block, shape),
});

const contentsOf = ({ transactions }: Block, shape: Shape): Record<string, unknown> => {
  const { transactionDetails = 'full' } = shape;
  switch (transactionDetails) {
    case 'full':
      return { transactions: transactions.map((one) => transactionJson(one, shape)) };
    case 'signatures':
      return { signatures: transactions.map(({ signature }) => signature) };
    case 'none':
      return {};
    default:
      throw refused.params(`Invalid params: unknown variant \`${transactionDetails}\``);
  }
};

import { type Base58, invalid, MintageError, requireBase58 } from '@mintage/protocol';
import {
  type ArgsOf,
  accountBytes,
  deriveAddress,
  type InstructionName,
  isOnCurve,
  keyBytes,
  launchpadAddress,
  type MessageInstruction,
  mostTransactionBytes,
  type TokenProgram,
  tokenAccountOf,
  wellKnown,
} from '@mintage/protocol/solana';
import { NoRoomForVoucherError, type PreparedStep, type SignedVoucher } from '../../chainClient.ts';
import { tokenAccountIn } from '../accounts.ts';
import { type Launchpad, userAddress } from '../launchpad.ts';
import { compileMessage, unsignedTransaction } from '../message/compile.ts';
import {
  budgetInstructions,
  launchpadInstruction,
  openTokenAccount,
  type Places,
  verifySignature,
} from '../message/instructions.ts';
import { slotMs } from '../rpc/solanaRpc.ts';
import { signedOf } from '../voucher.ts';
import type { Reading } from './reading.ts';
import { derivationUnits, unitBounds } from './units.ts';

/** A transaction of one wallet while it is put together: its instructions in their order, and what they open. */
export class Draft {
  readonly #payer: Base58;
  readonly #on: Launchpad;
  readonly #reading: Reading;
  readonly #instructions: MessageInstruction[] = [];
  readonly #opens = new Map<Base58, bigint>();
  #units: number = unitBounds.transaction;
  #hasVoucher = false;

  /** @throws MintageError INVALID_PARAMETERS for a payer who can have no key: nobody could sign. */
  constructor(payer: Base58, on: Launchpad, reading: Reading) {
    if (!isOnCurve(keyBytes(payer))) throw invalid('', `${payer} is the address of no wallet: nobody can sign for it`);
    this.#payer = payer;
    this.#on = on;
    this.#reading = reading;
  }

  /** An instruction of the launchpad, with what it opens by itself. @param units - The most that it takes. */
  call<Name extends InstructionName>(
    name: Name,
    places: Places,
    args: ArgsOf<Name>,
    units: number,
    more: readonly Base58[] = [],
  ): void {
    const { dollarMint, config, program } = this.#on;
    this.add(launchpadInstruction(program, name, { dollarMint, config, ...places }, args, more), units);
  }

  add(instruction: MessageInstruction, units: number): void {
    this.#instructions.push(instruction);
    this.#units += units;
  }

  /** Counts an account that an instruction opens, once. @param bytes - Of its data. */
  opens(account: Base58, bytes: number): void {
    if (!this.#opens.has(account)) this.#opens.set(account, this.#reading.rentOf(bytes));
  }

  /** The wallet's own account for a token, opened where there is none. @throws MintageError where somebody else owns it. */
  tokenAccount(wallet: Base58, mint: Base58, tokenProgram: TokenProgram): Base58 {
    const account = tokenAccountOf(wallet, mint, tokenProgram);
    if (this.#opens.has(account)) return account;
    const there = this.#reading.account(account);
    const owner = tokenAccountIn(there)?.owner;
    if (owner !== undefined && owner !== wallet)
      throw new MintageError(
        'TRANSACTION_FAILED',
        `The token account ${account} of ${wallet} belongs to somebody else.`,
      );
    if (owner !== undefined) return account;
    const { bump } = deriveAddress(
      [wallet, wellKnown[tokenProgram] as Base58, mint].map(keyBytes),
      wellKnown.associatedToken as Base58,
    );
    this.add(
      openTokenAccount(this.#payer, wallet, mint, tokenProgram),
      unitBounds.openTokenAccount + derivationUnits(bump),
    );
    this.opens(account, accountBytes[tokenProgram]);
    return account;
  }

  /** The wallet's User, opened where there is none. */
  user(wallet: Base58): Base58 {
    const account = userAddress(this.#on, wallet);
    if (this.#opens.has(account) || this.isOpen(account)) return account;
    this.call('openUser', { payer: this.#payer, wallet, user: account }, {}, this.openingUnits(wallet));
    this.opens(account, accountBytes.user);
    return account;
  }

  isOpen(account: Base58): boolean {
    return this.#reading.account(account)?.owner === this.#on.program;
  }

  /** Of opening the wallet's User. */
  openingUnits(wallet: Base58): number {
    return unitBounds.openUser + derivationUnits(launchpadAddress(this.#on.program, 'user', { wallet }).bump);
  }

  /** Sets the user's referrer. The cluster's own check of the signature stands right in front, where the program looks for it. */
  voucher(voucher: SignedVoucher, signer: Base58): void {
    const [user, referrer] = [requireBase58(voucher.user), requireBase58(voucher.referrer)].map((one) =>
      this.user(one),
    );
    const signature = Uint8Array.from(Buffer.from(voucher.signature.slice(2), 'hex'));
    this.add(verifySignature(signer, signedOf(this.#on, voucher), signature), 0);
    const places = { user: user as Base58, referrer: referrer as Base58 };
    this.#hasVoucher = true;
    this.call('setReferrer', places, { deadline: voucher.deadline }, unitBounds.setReferrer);
  }

  /** @throws NoRoomForVoucherError, MintageError INVALID_PARAMETERS when it is more than a packet carries. */
  finish(nowMs: number): PreparedStep {
    const { lifetime, height, priorityFee } = this.#reading;
    const budget = budgetInstructions({ units: this.#units, microLamportsPerUnit: priorityFee });
    const message = compileMessage(this.#payer, [...budget, ...this.#instructions], lifetime.blockhash);
    const bytes = Buffer.from(unsignedTransaction(message));
    if (bytes.length > mostTransactionBytes && this.#hasVoucher)
      throw new NoRoomForVoucherError(bytes.length, mostTransactionBytes);
    if (bytes.length > mostTransactionBytes)
      throw invalid(
        '',
        `The transaction would have ${bytes.length} bytes, and the chain takes ${mostTransactionBytes}: use shorter texts, or name fewer addresses.`,
      );
    return {
      call: {
        to: this.#on.program,
        data: `0x${bytes.toString('hex')}`,
        value: [...this.#opens.values()].reduce((sum, rent) => sum + rent, 0n),
      },
      gasBound: BigInt(this.#units),
      whole: {
        base64: bytes.toString('base64'),
        lastValidBlockHeight: lifetime.lastValidBlockHeight,
        expiresAtMs: nowMs + (lifetime.lastValidBlockHeight - height) * slotMs,
        priorityFee,
        opens: [...this.#opens.keys()],
      },
    };
  }
}

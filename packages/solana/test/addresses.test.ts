import { randomBytes } from 'node:crypto';
import { type Base58, toBase58 } from '@mintage/protocol';
import {
  deriveAddress,
  isOnCurve,
  keyBytes,
  launchpadAddress,
  tokenAccountOf,
  wellKnown,
} from '@mintage/protocol/solana';
import { type Address, address, generateKeyPairSigner, getProgramDerivedAddress, isOffCurveAddress } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { base58, derive, programAddress } from './machine/machine.ts';

const cases = Number(process.env.CASES ?? 100);

describe('addresses of programs', () => {
  it('are those of the client library, with their bumps', async () => {
    for (let at = 0; at < cases; at += 1) {
      const seeds = [randomBytes(at % 33), randomBytes(32)];
      const [theirs, bump] = await getProgramDerivedAddress({ programAddress, seeds });
      expect(deriveAddress(seeds, base58(programAddress))).toEqual({ address: theirs, bump });
    }
    const wallet = toBase58(randomBytes(32));
    const [user, bump] = await derive('user', { wallet });
    expect(launchpadAddress(base58(programAddress), 'user', { wallet })).toEqual({ address: user, bump });
  });

  it('behavior: are the same when they are asked for again, for each program its own', async () => {
    const seeds = [randomBytes(32)];
    const programs = [base58(programAddress), wellKnown.associatedToken as Base58];
    const first = programs.map((program) => deriveAddress(seeds, program));
    expect(first[0]).not.toEqual(first[1]);
    expect(programs.map((program) => deriveAddress(seeds, program))).toEqual(first);
    const [theirs, bump] = await getProgramDerivedAddress({ programAddress, seeds });
    expect(deriveAddress(seeds, base58(programAddress))).toEqual({ address: theirs, bump });
  });

  it('lie on no curve, as wallets’ do', async () => {
    for (let at = 0; at < cases; at += 1) {
      const bytes = randomBytes(32);
      expect([bytes.toString('hex'), !isOnCurve(bytes)]).toEqual([
        bytes.toString('hex'),
        isOffCurveAddress(toBase58(bytes) as string as Address),
      ]);
    }
    const { address: wallet } = await generateKeyPairSigner();
    expect(isOnCurve(keyBytes(base58(wallet)))).toBe(true);
  });

  it('a wallet keeps dollars and tokens where everybody looks for them', async () => {
    const [wallet, mint] = [toBase58(randomBytes(32)), toBase58(randomBytes(32))];
    for (const program of ['token', 'token2022'] as const) {
      const [theirs] = await getProgramDerivedAddress({
        programAddress: address(wellKnown.associatedToken),
        seeds: [wallet, wellKnown[program] as Base58, mint].map(keyBytes),
      });
      expect(tokenAccountOf(wallet, mint, program)).toBe(theirs);
    }
  });
});

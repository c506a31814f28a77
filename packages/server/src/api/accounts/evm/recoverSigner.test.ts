import { type Hex, hexToBytes, keccak256, recoverAddress, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { nativeRecovery, type RecoverPublicKey, wasmRecovery } from './recoverPublicKey.ts';
import { recoverDigestSigner, recoverSigner } from './recoverSigner.ts';

const cases = Number(process.env.CASES ?? 200);
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const account = privateKeyToAccount(keccak256(toHex('recoverSigner')));
const mine = account.address.toLowerCase();
const digestOf = (i: number): Hex => keccak256(toHex(`digest ${i}`));
const word = (value: bigint): string => value.toString(16).padStart(64, '0');

describe('recoverPublicKey', () => {
  const ways: [string, RecoverPublicKey | null][] = [
    ['native', nativeRecovery()],
    ['WebAssembly', wasmRecovery()],
  ];

  it('default: compiled and JavaScript recovery agree, also on what is nobody’s', async () => {
    for (let i = 0; i < cases; i += 1) {
      const digest = digestOf(i);
      // Every other signature is arbitrary bytes: about half of those are not a point on the curve.
      const signature = i % 2 === 0 ? await account.sign({ hash: digest }) : `${digest}${digestOf(-i).slice(2)}1b`;
      const expected = await recoverAddress({ hash: digest, signature: signature as Hex }).catch(() => null);
      const recoveryId = signature.endsWith('1b') ? 0 : 1;
      for (const [name, recover] of ways) {
        const key = recover?.(hexToBytes(digest), Buffer.from(signature.slice(2, 130), 'hex'), recoveryId);
        const address = key && `0x${keccak256(key).slice(26)}`;
        if (recover !== null) expect([i, name, address]).toEqual([i, name, expected?.toLowerCase() ?? null]);
      }
    }
  });

  it.each(ways)('error: %s: r or s out of range is nobody’s', (_name, recover) => {
    const good = word(5n);
    for (const [r, s] of [
      [word(0n), good],
      [good, word(0n)],
      [word(order), good],
      [good, word(order)],
      ['f'.repeat(64), good],
    ] as const) {
      if (recover !== null) expect(recover(hexToBytes(digestOf(1)), Buffer.from(r + s, 'hex'), 0)).toBeNull();
    }
  });
});

describe('recoverDigestSigner', () => {
  it('default: every way in which wallets write a signature', async () => {
    const signature = await account.sign({ hash: digestOf(1) });
    const y = signature.endsWith('1b') ? '00' : '01';
    for (const text of [signature, signature.slice(2), signature.toUpperCase().replace('0X', '0x')]) {
      expect(recoverDigestSigner(digestOf(1), text)).toBe(mine);
      expect(recoverDigestSigner(digestOf(1), text.slice(0, -2) + y)).toBe(mine);
    }
    expect(recoverSigner('hello', await account.signMessage({ message: 'hello' }))).toBe(mine);
  });

  it(`A4 the other form of ${cases} signatures is nobody’s`, async () => {
    for (let i = 0; i < cases; i += 1) {
      const signature = await account.sign({ hash: digestOf(i) });
      expect(recoverDigestSigner(digestOf(i), signature)).toBe(mine);
      const s = word(order - BigInt(`0x${signature.slice(66, 130)}`));
      for (const v of ['00', '01', '1b', '1c']) {
        expect(recoverDigestSigner(digestOf(i), `${signature.slice(0, 66)}${s}${v}`)).toBeNull();
      }
    }
  });

  it('error: texts that are no signature, and last bytes that no wallet writes', async () => {
    const signature = await account.sign({ hash: digestOf(2) });
    const others = ['02', '1a', '1d', '25', 'ff'].map((v) => signature.slice(0, -2) + v);
    for (const text of [
      '',
      '0x',
      signature.slice(0, -2),
      `${signature}00`,
      signature.replace('0x', '0xzz'),
      ...others,
    ]) {
      expect([text, recoverDigestSigner(digestOf(2), text)]).toEqual([text, null]);
    }
  });
});

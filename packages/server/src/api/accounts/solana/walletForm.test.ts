import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type Address, chainBySlug, toBase58 } from '@mintage/protocol';
import { launchpadAddress, localProgramAddress } from '@mintage/protocol/solana';
import { base58btc } from 'multiformats/bases/base58';
import { describe, expect, it } from 'vitest';
import type { Chains } from '../../tokens/reading.ts';
import { solanaWallets } from './walletForm.ts';

const newWallet = (): { address: Address; key: KeyObject } => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  return { address: toBase58(new Uint8Array(spki.subarray(-32))), key: privateKey };
};
const signed = (key: KeyObject, text: string): string =>
  toBase58(new Uint8Array(sign(null, new TextEncoder().encode(text), key)));
const serving = (slug: 'solana' | 'solana-devnet'): Chains => new Map([[slug, { chain: chainBySlug(slug) }]]) as never;

const { address, key } = newWallet();
const facts = {
  appUrl: 'https://pad.example',
  statement: 'Sign in to Acme Pad.',
  address,
  nonce: 'abcdefgh12345678',
  issuedAt: new Date('2030-01-01T00:00:00Z'),
  expiresAt: new Date('2030-01-01T00:05:00Z'),
};

/** Order of the group of ed25519. */
const order = 2n ** 252n + 27742317777372353535851937790883648493n;

describe('sign in with Solana', () => {
  it('default: the text is laid out as wallets read it, and names the cluster', () => {
    expect(solanaWallets.text(serving('solana-devnet'), undefined, facts)).toBe(
      `pad.example wants you to sign in with your Solana account:
${address}

Sign in to Acme Pad.

URI: https://pad.example
Version: 1
Chain ID: solana:devnet
Nonce: abcdefgh12345678
Issued At: 2030-01-01T00:00:00.000Z
Expiration Time: 2030-01-01T00:05:00.000Z`,
    );
    expect(solanaWallets.text(serving('solana'), undefined, facts)).toContain('Chain ID: solana:mainnet');
    expect(() => solanaWallets.text(serving('solana'), 1, facts)).toThrow(/leave it out/);
  });

  it('default: a signature is good for its text and its wallet alone', () => {
    const text = solanaWallets.text(serving('solana-devnet'), undefined, facts);
    const signature = signed(key, text);
    expect(solanaWallets.isBy(address, text, signature)).toBe(true);
    expect(solanaWallets.isBy(address, `${text} `, signature)).toBe(false);
    expect(solanaWallets.isBy(newWallet().address, text, signature)).toBe(false);
    expect(solanaWallets.isBy(address, text, signed(newWallet().key, text))).toBe(false);
  });

  it('A4 attack: the other form of a signature, and torn ones, are nobody’s', () => {
    const signature = signed(key, 'hello');
    const bytes = base58btc.baseDecode(signature);
    const s = Buffer.from(bytes.subarray(32).toReversed());
    const sum = (BigInt(`0x${s.toString('hex')}`) + order).toString(16).padStart(64, '0');
    const twin = Buffer.from(Buffer.from(sum, 'hex').toReversed());
    const others = [Buffer.concat([bytes.subarray(0, 32), twin]), bytes.subarray(0, 63), Buffer.concat([bytes, bytes])];
    for (const other of others) {
      const text = toBase58(new Uint8Array(other));
      expect([text, solanaWallets.isBy(address, 'hello', text)]).toEqual([text, false]);
    }
    for (const text of ['', '0x', 'l', `0x${'00'.repeat(65)}`, `${signature}\n`, `1${signature}`])
      expect([text, solanaWallets.isBy(address, 'hello', text)]).toEqual([text, false]);
  });

  it('A4 attack: keys of small order, for which one signature fits every text, are no wallets or sign nothing', () => {
    const small = ['01', '00', 'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f'].map((hex) =>
      toBase58(new Uint8Array(Buffer.from(hex.padEnd(64, '0'), 'hex'))),
    );
    const nothing = toBase58(
      new Uint8Array(Buffer.concat([Buffer.from('01'.padEnd(64, '0'), 'hex'), Buffer.alloc(32)])),
    );
    for (const one of small)
      for (const text of ['one', 'two']) expect([one, solanaWallets.isBy(one, text, nothing)]).toEqual([one, false]);
  });

  it('error: an address of a program, of another family or of another length is no wallet', () => {
    const { address: config } = launchpadAddress(localProgramAddress as never, 'config', {});
    expect(solanaWallets.parse(address)).toBe(address);
    for (const text of [config, `0x${'ab'.repeat(20)}`, toBase58(new Uint8Array(31).fill(7)), ''])
      expect(solanaWallets.parse(text)).toBeNull();
  });
});

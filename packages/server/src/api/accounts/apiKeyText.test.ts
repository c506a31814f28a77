import { describe, expect, it } from 'vitest';
import { newApiKey, readApiKey } from './apiKeyText.ts';

const brand = 'acme-pad_live';

describe('newApiKey', () => {
  it('default', () => {
    const { key, id, prefix, hash } = newApiKey(brand);
    expect(key).toMatch(/^acme-pad_live_[0-9A-Za-z]{10}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/);
    expect(prefix).toBe(`acme-pad_live_${id}`);
    expect(readApiKey(brand, key)).toEqual({ id, hash });
  });

  it('A6 no two keys are alike', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => newApiKey(brand).key.slice(-50))).size).toBe(1_000);
  });
});

describe('readApiKey', () => {
  it('A6 error: every changed character is told without the database', () => {
    const { key } = newApiKey(brand);
    for (let at = 0; at < key.length; at += 1) {
      const other = key[at] === 'x' ? 'y' : 'x';
      expect(readApiKey(brand, key.slice(0, at) + other + key.slice(at + 1))).toBeNull();
    }
  });

  it.each(['', 'acme-pad_live_', 'acme-pad_test_aaaaaaaaaa', 'x'.repeat(100)])('error: %j', (text) => {
    expect(readApiKey(brand, text)).toBeNull();
  });

  it('error: a key of another deployment', () => {
    expect(readApiKey(brand, newApiKey('acme-pad_test').key)).toBeNull();
  });
});

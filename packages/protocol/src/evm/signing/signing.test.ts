import fc from 'fast-check';
import { hashDomain, hashStruct, hashTypedData, keccak256, stringToBytes, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { infoTypes } from '../../operations/operations.ts';
import {
  createTokenTypedData,
  infoAuthTypedData,
  platformPascal,
  registerTypedData,
  type SignedCreation,
  type SigningContext,
} from './actions.ts';
import { creationDigests, digestOf, infoBodyHashes, quickKeccak } from './digests.ts';
import { amountTexts, isAmbiguous, linksHashes, listHash, textHash } from './hashes.ts';
import { canonicalText, signedReads } from './infoBody.ts';

/** Wire contract 4.7. */
const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const context: SigningContext = {
  platformName: 'Acme Pad',
  signatureChainId: 1n,
  nonce: 1_737_600_000_000,
  expiresAfter: 300_000,
};
const creation: SignedCreation = {
  name: 'Demo Coin',
  symbol: 'DEMO',
  description: 'A demo',
  image: 'https://a.example/l.png',
  chainSlug: 'base',
  destinationChains: ['solana', 'ethereum', 'bnb'],
  tags: ['ai', 'agent'],
  links: { website: 'https://a.example', telegram: 'https://t.me/a' },
  userAddress: account.address,
  amountIn: 10,
};
const typeHash = (data: { primaryType: string; types: Record<string, readonly { name: string; type: string }[]> }) => {
  const fields = data.types[data.primaryType] as readonly { name: string; type: string }[];
  return keccak256(toHex(`${data.primaryType}(${fields.map(({ name, type }) => `${type} ${name}`).join(',')})`));
};
// oxlint-disable-next-line typescript/no-explicit-any -- viem's types want each struct by name
const structHash = (data: any) => hashStruct({ data: data.message, primaryType: data.primaryType, types: data.types });

describe('signed actions', () => {
  const register = registerTypedData(context, 'Testnet');
  const [create] = createTokenTypedData(context, 'Testnet', creation);
  if (create === undefined) throw new Error('a creation has at least one form');
  const body = { type: 'getUserFeeHistory', chains: ['base', 'bnb'], limit: 10, offset: 0 };
  const [bodyHash] = infoBodyHashes(body, []);
  const info = infoAuthTypedData(context, 'getUserFeeHistory', bodyHash as `0x${string}`);

  it('vectors: domain and types', () => {
    const types = {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
    };
    expect(hashDomain({ domain: register.domain, types } as Parameters<typeof hashDomain>[0])).toBe(
      '0xe99958256e5dc1d2be0c3bae6cf0793148250cd6ff562f777de6255b9301482a',
    );
    expect([register, create, info].map(typeHash)).toEqual([
      '0x9c68e8d9fdcd62e2b78e84d51ca39b8d0c1f167d9a857f435aa628efd8b7a8cd',
      '0xd384bb102acec61bba93467938886f280c288eb016861a1088f1d21de14e1ce4',
      '0x731527e23506ca4be6c625d0c68c32e26e8b2373fd5b9da82353a571034938f0',
    ]);
  });

  it('vectors: hashes of parts', () => {
    expect(listHash()).toBe('0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470');
    expect(linksHashes(undefined)).toEqual([
      '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
      '0x3f233a724f82414d17593bcdf274f289fff3b5686f8d12bbf762b84709a5f031',
    ]);
    expect(linksHashes({})).toEqual(['0x3f233a724f82414d17593bcdf274f289fff3b5686f8d12bbf762b84709a5f031']);
    expect(listHash(creation.destinationChains)).toBe(
      '0xe2f06c3a4d516199add45a623b27cb8992bd12c03b59eca255aa40b02de2d342',
    );
    expect(listHash(creation.tags)).toBe('0x5e3076cdde778366b8d6d1cac054eb61bf02d0a6793cc704f31c8174f093357d');
    expect(linksHashes(creation.links)).toEqual(['0x808fad6d089e796f6d40e706d5f3b4d405584e98ae675cadd1adf146f9891490']);
    expect(canonicalText(body)).toBe('{"chains":["base","bnb"],"limit":10,"offset":0,"type":"getUserFeeHistory"}');
    expect(bodyHash).toBe('0x2919af7269b07968641cf6a4439717824fa9b85967aded013b0506a78acf38d4');
  });

  it('vectors: digests and signatures', async () => {
    expect(structHash(register)).toBe('0xc340eae16ca6bc964887f55a4042d279c0aff7792dbc7a4bf0edee803c0584d2');
    expect(digestOf(register)).toBe('0xeaf5994d36047e656837fcde4cc592be821339ba950a20e8ed1dea2e04c8d455');
    expect(await account.signTypedData(register)).toBe(
      '0x5f6bc64ca8946776efe5ae31d6194a375f54e11b2fee8c7d747850537b68144925e30b7b7011c203aedc668380f3a21997e25e7d6020373ee48eed71680c96e41c',
    );
    expect(structHash(create)).toBe('0x65a34d58949fd5c044e157b5701f610a3dd35250dd9493ccd190ac9e59c53487');
    expect(digestOf(create)).toBe('0x9011a6566f82b48d276e6d7d3b658ea27d3fef1739d4b955051fcd9a840369fc');
    expect(await account.sign({ hash: digestOf(create) })).toBe(
      '0xcf6a3ab981fe0d16ea05429e5deef9f98b28032e670ec39506ee508b91138d937a2c854cb4d44d9d9f476fe2776e5732bd636e7568face8aea8de4ef1f58dd201b',
    );
    expect(digestOf(info)).toBe('0xe6ea6d62669fed7de1f22d6ee2ad876f340d27513ca29b35cac9ee2cd79df9dc');
    expect(await account.signTypedData(info)).toBe(
      '0xec9a3b31299fb22ead740c9fd401fbd7183ba14b2ccadd07961c06b72fe15bcc7921d44f5836dccf8f208939f29996910279b16c5de69f4669c9e4c9127d4a511c',
    );
  });

  it('behavior: the texts of amounts, as both clients write them', () => {
    expect(amountTexts(undefined)).toEqual(['0']);
    expect(amountTexts(0)).toEqual(['0', '0.0']);
    expect(amountTexts(10)).toEqual(['10', '10.0']);
    expect(amountTexts(0.5)).toEqual(['0.5']);
  });

  it('behavior: at most 16 forms of one creation, all different', () => {
    const { links: _, ...bare } = creation;
    const forms = createTokenTypedData(context, 'Testnet', { ...bare, tokensOut: 5, maxAmountIn: 100 });
    expect(new Set(forms.map(digestOf)).size).toBe(16);
  });

  it('H1 a picture in a creation is hashed once, whatever the number of forms, and gives the digests of the plain way', () => {
    const { links: _, ...bare } = creation;
    const whole = { ...bare, image: `data:image/png;base64,${'A'.repeat(1_000)}`, tokensOut: 5, maxAmountIn: 100 };
    const forms = createTokenTypedData(context, 'Testnet', whole);
    const digests = creationDigests(context, 'Testnet', whole);
    expect(digests).toEqual(forms.map(digestOf));
    expect(digests).toEqual(forms.map((form) => hashTypedData(form)));
  });

  it('behavior: what is kept of one deployment’s name is not taken for another’s that is alike', () => {
    for (const platformName of ['Acme Launchpad', 'Acme Launchpad Two', 'Acme Launchpad', 'Acme Launchpads']) {
      const data = registerTypedData({ ...context, platformName }, 'Testnet');
      expect(digestOf(data)).toBe(hashTypedData(data));
    }
  });

  it('behavior: any chain, time, fee, address and name gives the digest of the plain way', () => {
    const whole = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
    const time = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
    const hex = (bytes: number) =>
      fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((one) => toHex(one as Uint8Array));
    const given = fc.record({
      platformName: fc.string({ maxLength: 200, unit: 'binary' }),
      signatureChainId: whole,
      nonce: time,
      expiresAfter: time,
    });
    fc.assert(
      fc.property(given, hex(32), hex(20), time, (signing, bodyHash, userAddress, fee) => {
        const [form] = createTokenTypedData(signing, 'Testnet', {
          ...creation,
          userAddress,
          builder: { code: userAddress, fee },
        });
        for (const data of [infoAuthTypedData(signing, 'me', bodyHash), registerTypedData(signing, 'Mainnet'), form]) {
          expect(data && digestOf(data)).toBe(data && hashTypedData(data as Parameters<typeof hashTypedData>[0]));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('error: a number that is no uint256', () => {
    for (const signatureChainId of [-1n, 2n ** 256n]) {
      expect(() => digestOf(registerTypedData({ ...context, signatureChainId }, 'Testnet'))).toThrow(RangeError);
    }
  });

  it('H1 the quick hash of texts is the usual one, around its blocks of 136 bytes and outside ASCII', () => {
    const lengths = [0, 1, 135, 136, 137, 271, 272, 273, 100_000];
    const texts = [...lengths.map((length) => 'a'.repeat(length)), 'é'.repeat(68), '🙂'.repeat(34), '\ud800', '\0'];
    for (const text of texts) {
      const hash = keccak256(stringToBytes(text));
      expect([textHash(text), quickKeccak(stringToBytes(text))]).toEqual([hash, hash]);
    }
  });

  it('behavior: a key that the client left undefined is found', () => {
    const optional = ['user_id', 'fee_type', 'chains', 'limit', 'offset'];
    const sent = { type: 'getUserFeeHistory', limit: 10 };
    const signed = keccak256(toHex(canonicalText({ ...sent, offset: undefined, chains: undefined })));
    const hashes = [...infoBodyHashes(sent, optional)];
    expect(hashes).toHaveLength(16);
    expect(hashes).toContain(signed);
    expect(hashes[0]).toBe(keccak256(toHex(canonicalText(sent))));
  });

  it('A3 two creations that differ, none of them ambiguous, never share a digest', () => {
    const item = fc.string({ minLength: 1, maxLength: 6 }).filter((text) => !isAmbiguous(text));
    const link = fc.option(item, { nil: undefined });
    const links = fc.record({ website: link, twitter: link, youtube: link, discord: link, telegram: link });
    const parts = fc.record({
      name: fc.string({ maxLength: 6 }),
      symbol: fc.string({ maxLength: 6 }),
      destinationChains: fc.array(item, { maxLength: 3 }),
      tags: fc.array(item, { maxLength: 3 }),
      links,
      amountIn: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
    });
    /** What the fields mean; zero and absent amounts mean the same. */
    const meaning = (one: SignedCreation) => canonicalText({ ...one, amountIn: one.amountIn ?? 0 });
    const digests = (one: SignedCreation) => createTokenTypedData(context, 'Testnet', one).map(digestOf);
    fc.assert(
      fc.property(parts, parts, (a, b) => {
        const [one, other] = [
          { ...creation, ...a },
          { ...creation, ...b },
        ];
        if (meaning(one) === meaning(other)) return;
        const first = new Set(digests(one));
        expect(digests(other).some((digest) => first.has(digest))).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('A3 what would let two lists give one hash is told', () => {
    expect(['', 'a|b', 'a\nb', 'a\u0000'].map(isAmbiguous)).toEqual([true, true, true, true]);
    expect(['a', 'a b', 'ä-1'].map(isAmbiguous)).toEqual([false, false, false]);
    expect(listHash(['a', 'b'])).toBe(listHash(['a|b']));
  });

  it('behavior: a wallet may sign the reads of its own account, and their optional keys are keys of theirs', () => {
    const own = Object.values(infoTypes).filter(({ operation }) => operation.access !== 'public');
    expect(Object.keys(signedReads).toSorted()).toEqual(own.map(({ operation }) => operation.name).toSorted());
    for (const { operation, input } of own) {
      const keys = signedReads[operation.name] ?? [];
      expect(keys.filter((key) => !input.shape[key as keyof typeof input.shape]?.isOptional())).toEqual([]);
    }
  });

  it('default: the platform as it signs', () => {
    expect(['Acme Pad', 'mintage', 'Two x 3'].map(platformPascal)).toEqual(['AcmePad', 'Mintage', 'TwoX3']);
  });
});

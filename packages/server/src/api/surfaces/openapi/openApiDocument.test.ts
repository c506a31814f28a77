import { type ChainType, commonErrors, errorsOf, type Operation } from '@mintage/protocol';
import { operations } from '@mintage/protocol/operations';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from './openApiDocument.ts';

const list: readonly Operation[] = operations;
const config = { platformName: 'Acme Pad', platformSlug: 'acme-pad', publicUrl: 'https://api.example' };
// oxlint-disable-next-line typescript/no-explicit-any -- a document is looked into at many depths here
const documentOf = (types: readonly ChainType[]) => openApiDocument(config, types) as any;
const document = documentOf(['evm']);

/** Every `$ref` of a value. */
const refs = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(refs);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => (key === '$ref' ? [String(item)] : refs(item)));
};

describe('openApiDocument', () => {
  it('default: every operation, under the base path', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.servers).toEqual([{ url: 'https://api.example/functions/v1' }]);
    for (const { name, method, path } of list) {
      const found = document.paths[path.replace(/:(\w+)/, '{$1}')][method.toLowerCase()];
      expect(found.operationId).toBe(name);
    }
  });

  it('behavior: every reference leads somewhere, and nothing of the generator is left', () => {
    for (const ref of refs(document)) {
      expect(document.components.schemas).toHaveProperty([ref.replace('#/components/schemas/', '')]);
    }
    expect(JSON.stringify(document)).not.toMatch(/\$defs|\$schema/);
  });

  it('behavior: addresses and the like have the forms of the families that are served', () => {
    const hex = '^0x[a-fA-F0-9]{40}$';
    const base58 = '^[1-9A-HJ-NP-Za-km-z]{32,44}$';
    const { Address, TransactionItem } = document.components.schemas;
    expect(Address).toMatchObject({ type: 'string', pattern: hex });
    expect(TransactionItem.properties.chainType).toMatchObject({ type: 'string', const: 'evm' });
    const [other, both] = [documentOf(['solana']), documentOf(['evm', 'solana'])];
    expect(other.components.schemas.Address.pattern).toBe(base58);
    const patterns = both.components.schemas.Address.anyOf.map(({ pattern }: { pattern: string }) => pattern);
    expect(patterns).toEqual([hex, base58]);
    for (const one of [document, other, both]) {
      expect(JSON.stringify(one)).not.toContain('"forms"');
      for (const ref of refs(one)) {
        expect(one.components.schemas).toHaveProperty([ref.replace('#/components/schemas/', '')]);
      }
    }
  });

  it('behavior: who may call, and which errors come, is said', () => {
    expect(document.paths['/mint-usd'].post.security).toEqual([{ bearer: [] }]);
    expect(document.paths['/health'].get.security).toEqual([{}, { bearer: [] }]);
    for (const operation of list) {
      const { responses } = document.paths[operation.path.replace(/:(\w+)/, '{$1}')][operation.method.toLowerCase()];
      const said = JSON.stringify(responses);
      for (const code of errorsOf(operation)) expect(said).toContain(`\`${code}\``);
      expect(errorsOf(operation)).toEqual(expect.arrayContaining([...commonErrors]));
    }
  });

  it('behavior: path parameters are parameters', () => {
    expect(document.paths['/ipfs/{cid}'].get.parameters).toMatchObject([{ name: 'cid', in: 'path', required: true }]);
  });

  it('behavior: an optional key is optional', () => {
    const { schema } = document.paths['/mint-usd'].post.requestBody.content['application/json'];
    expect(schema.required).toEqual(['chainSlug']);
    expect(schema.properties.chainSlug).toMatchObject({ $ref: '#/components/schemas/ChainSlug' });
  });
});

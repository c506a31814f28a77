import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Operation } from '../operations/operation.ts';
import { operations } from '../operations/operations.ts';
import { type ErrorCode, errorCatalogue } from '../schemas/errors.ts';
import { reasonToExclude, snakeCase, toolCodeOf, toolCodes, toolsOn } from './tools.ts';

const tools = toolsOn(['base', 'base-sepolia']);
const named = (name: string) => tools.find((tool) => tool.name === name) as (typeof tools)[number];
const schemaOf = (name: string) => {
  const { properties = {}, required = [] } = z.toJSONSchema(named(name).input, { io: 'input' });
  return { names: Object.keys(properties), required, properties };
};

describe('toolsOn', () => {
  it('default: the six of the specification come first', () => {
    expect(tools.slice(0, 6).map(({ name }) => name)).toEqual([
      'create_token',
      'get_tokens',
      'search_token',
      'trade_token',
      'quote_trade_token',
      'execute_transaction',
    ]);
  });

  it('T5 every other operation is a tool of its own name and schema, or has a reason not to be', () => {
    const ownForm = new Set(tools.slice(0, 12).map(({ operation }) => operation));
    for (const operation of operations as readonly Operation[]) {
      if (ownForm.has(operation)) continue;
      const tool = tools.find((one) => one.name === snakeCase(operation.name));
      if (reasonToExclude(operation) !== null) {
        expect(tool, operation.name).toBeUndefined();
        continue;
      }
      expect(tool?.operation).toBe(operation);
      const { shape } = operation.output as z.ZodObject;
      expect(tool?.output.shape).toMatchObject(shape);
      const more = 'intentId' in shape ? ['unsure'] : [];
      expect(Object.keys(tool?.output.shape ?? {})).toEqual([...Object.keys(shape), ...more]);
    }
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  });

  it('H26 what may have executed something can say that it is unsure, and nothing else can', () => {
    const executing = tools.filter(({ output }) => 'intentId' in output.shape).map(({ name }) => name);
    const names = tools.filter(({ output }) => 'unsure' in output.shape).map(({ name }) => name);
    expect(names.filter((name) => name !== 'transaction_status')).toEqual(executing);
    expect(executing).toEqual(expect.arrayContaining(['create_token', 'trade_token', 'claim_rewards', 'mint_usd']));
  });

  it.each([
    [
      'create_token',
      [
        'name',
        'symbol',
        'description',
        'image',
        'chainSlug',
        'banner',
        'video',
        'links',
        'tags',
        'autoExecute',
        'userAddress',
      ],
      ['name', 'symbol', 'description', 'image', 'chainSlug'],
      ['success', 'tokenId', 'contractAddress', 'transactionHash'],
    ],
    ['get_tokens', ['filter', 'limit', 'offset', 'hashtag_name', 'verified_only'], ['filter'], ['tokens', 'total']],
    [
      'search_token',
      ['input'],
      ['input'],
      [
        'id',
        'name',
        'symbol',
        'contract_address',
        'price_usd',
        'market_cap',
        'description',
        'image_url',
        'holders_count',
      ],
    ],
    [
      'trade_token',
      [
        'tokenId',
        'chainSlug',
        'direction',
        'buyAmountUSD',
        'buyAmountToken',
        'sellAmountToken',
        'sellAmountUSD',
        'autoExecute',
        'userAddress',
      ],
      ['tokenId', 'chainSlug', 'direction'],
      ['success', 'transactionHash', 'inputAmount', 'outputAmount', 'protocol'],
    ],
    [
      'quote_trade_token',
      ['tokenId', 'chainSlug', 'direction', 'amount', 'inputToken'],
      ['tokenId', 'chainSlug'],
      ['inputAmount', 'outputAmount', 'protocol', 'isGraduated', 'timestamp'],
    ],
    [
      'execute_transaction',
      ['to', 'amount', 'chainSlug', 'data'],
      ['to', 'amount', 'chainSlug'],
      ['transactionHash', 'success'],
    ],
    ['create_post', ['text', 'taggedCoinId', 'parent_id', 'media'], ['text'], ['success', 'post_id', 'url']],
    [
      'get_posts',
      ['feed', 'taggedCoinId', 'author_id', 'hashtag', 'parent_id', 'limit', 'cursor'],
      [],
      ['posts', 'next_cursor'],
    ],
    ['get_post', ['post_id', 'comments'], ['post_id'], ['post', 'comments']],
    ['delete_post', ['post_id'], ['post_id'], ['success']],
  ])(
    'default: %s has the parameters and answer fields of the specification and the social contract',
    (name, parameters, required, fields) => {
      const schema = schemaOf(name);
      expect([schema.names, schema.required]).toEqual([parameters, required]);
      expect(Object.keys(named(name).output.shape)).toEqual(expect.arrayContaining(fields));
    },
  );

  it('default: bounds and defaults of the specification', () => {
    const [create, list, trade, quote] = ['create_token', 'get_tokens', 'trade_token', 'quote_trade_token'].map(
      (name) => schemaOf(name).properties,
    ) as [Shape, Shape, Shape, Shape];
    expect(create.symbol).toMatchObject({ minLength: 2, maxLength: 10 });
    expect([create.autoExecute?.default, trade.autoExecute?.default]).toEqual([false, false]);
    expect(create.chainSlug?.enum).toEqual(['base', 'base-sepolia']);
    expect(list.filter?.enum).toEqual(['trending', 'new', 'popular', 'top_posts']);
    expect(list.limit).toMatchObject({ default: 20, minimum: 1, maximum: 100 });
    expect([list.offset?.default, list.verified_only?.default]).toEqual([0, false]);
    expect([quote.direction?.default, quote.amount?.default, quote.inputToken?.default]).toEqual(['sell', 1, 'token']);
    expect(named('create_token').input.safeParse({ ...named('create_token').example, symbol: 'X' }).success).toBe(
      false,
    );
  });

  it('behavior: every tool that can spend does so only when autoExecute says it', () => {
    for (const { name, input, operation, toInput } of tools) {
      const executes = 'execute' in (operation.input as z.ZodObject).shape;
      expect('autoExecute' in input.shape, name).toBe(executes);
      if (!executes) continue;
      expect(toInput({ autoExecute: true })).toEqual({ execute: true });
      expect(toInput({ autoExecute: false })).toEqual({});
    }
  });

  it('behavior: chains beyond the two come by configuration', () => {
    const bnb = toolsOn(['bnb']).find(({ name }) => name === 'trade_token');
    expect(bnb?.input.safeParse({ tokenId: 'x', chainSlug: 'bnb', direction: 'buy' }).success).toBe(true);
    expect(bnb?.input.safeParse({ tokenId: 'x', chainSlug: 'base', direction: 'buy' }).success).toBe(false);
  });
});

type Shape = Record<string, { default?: unknown; enum?: unknown; [key: string]: unknown } | undefined>;

describe('toolCodeOf', () => {
  it('default: every code of the catalogue is one of the seven', () => {
    for (const code of Object.keys(errorCatalogue) as ErrorCode[]) expect(toolCodes).toContain(toolCodeOf(code));
  });

  it.each([
    ['INVALID_PARAMETERS', 'INVALID_PARAMETERS'],
    ['UNSUPPORTED_CHAIN', 'INVALID_PARAMETERS'],
    ['TOKEN_NOT_FOUND', 'TOKEN_NOT_FOUND'],
    ['INSUFFICIENT_BALANCE', 'INSUFFICIENT_BALANCE'],
    ['SCOPE_MISSING', 'AUTHENTICATION_FAILED'],
    ['BUDGET_EXCEEDED', 'AUTHENTICATION_FAILED'],
    ['TRANSACTION_FAILED', 'TRANSACTION_FAILED'],
    ['TRANSACTION_REVERTED', 'TRANSACTION_FAILED'],
    ['SLIPPAGE_EXCEEDED', 'TRANSACTION_FAILED'],
    ['RATE_LIMIT_EXCEEDED', 'RATE_LIMIT_EXCEEDED'],
    ['NETWORK_ERROR', 'NETWORK_ERROR'],
    ['INTERNAL_ERROR', 'NETWORK_ERROR'],
  ] as const)('default: %s is %s', (code, expected) => {
    expect(toolCodeOf(code)).toBe(expected);
  });
});

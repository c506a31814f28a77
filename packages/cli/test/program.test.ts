import { type ErrorCode, errorCatalogue, MintageError } from '@mintage/sdk';
import { definitions } from '@mintage/sdk/schemas';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { flagOf, valueOf } from '../src/command/fields.ts';
import { inputOfWords } from '../src/command/words.ts';
import { commands } from '../src/commands.ts';
import { exitCodes, told } from '../src/failure.ts';
import { infoTypes, operations, topics } from '../src/generated/operations.ts';
import { manualOf } from '../src/manual.ts';
import { drawCandles } from '../src/output/candles.ts';
import { table } from '../src/output/table.ts';
import { ago, counted, dollars, short } from '../src/output/words.ts';
import { createProgram } from '../src/program.ts';

const program = await createProgram('1.2.3', 'all');
const everyCommand = program.commands.flatMap((one): Command[] => [one, ...one.commands]);

const topicNames = ['tokenActivity', 'walletBalances', 'walletFees', 'posts', 'votes', 'notifications'];

describe('the list of operations', () => {
  it('behavior: every operation is reached by `api` or `stream`, and every field of its input by a word', () => {
    const streamed = ['ws', 'stream'];
    const manyInOne = ['info', 'platformAction'];
    const reached = Object.keys(operations).filter((name) => !name.startsWith('actions.'));
    expect(reached).toEqual(Object.keys(definitions).filter((name) => ![...streamed, ...manyInOne].includes(name)));
    expect(Object.keys(topics)).toEqual(topicNames);
    expect(infoTypes).toContain('getUserFees');
    const { fields } = operations.tradeToken ?? expect.fail();
    expect(fields.map(({ name }) => name)).toEqual(expect.arrayContaining(['builder.code', 'builder.fee', 'execute']));
  });

  it('behavior: no flag of an operation has the name of a flag of the command itself', () => {
    for (const command of everyCommand) {
      const flags = command.options.map((option) => option.attributeName());
      expect(flags, command.name()).toEqual([...new Set(flags)]);
    }
  });

  it('behavior: every command has --json, and a group of commands no flag that it would lose', () => {
    for (const command of everyCommand) {
      const flags = command.options.flatMap(({ long }) => long ?? []);
      if (command.commands.length > 0) expect(flags, command.name()).toEqual([]);
      else expect(flags, command.name()).toContain('--json');
    }
  });

  it('behavior: help and manual say what each command does and takes', () => {
    expect(program.commands.map((one) => one.name())).toEqual(Object.keys(commands));
    const page = manualOf(program);
    for (const command of everyCommand) {
      expect(command.description(), command.name()).toMatch(/^[A-Z].*\.$/);
      expect(page).toContain(command.description().replaceAll('-', '\\-'));
    }
    expect(page).toContain('.B \\-\\-slippage\\-bps <number>');
    expect(page.split('\n').filter((line) => /^['.](?![A-Z]{2}\b|[BI] )/.test(line))).toEqual([]);
  });
});

describe('values', () => {
  const field = (kind: 'text' | 'number' | 'boolean' | 'list' | 'json', choices?: string[]) =>
    ({ name: 'x', kind, about: '', ...(choices && { choices }) }) as const;

  it('default: a word becomes what its field takes', () => {
    expect(valueOf(field('text'), '5')).toBe('5');
    expect(valueOf(field('number'), '5.25')).toBe(5.25);
    expect(valueOf(field('boolean'), 'false')).toBe(false);
    expect(valueOf(field('list'), 'base, arbitrum')).toEqual(['base', 'arbitrum']);
    expect(valueOf(field('list'), '["a,b"]')).toEqual(['a,b']);
    expect(valueOf(field('json'), '5')).toBe(5);
    expect(valueOf(field('json'), '"5"')).toBe('5');
    expect(valueOf(field('json'), 'latest')).toBe('latest');
  });

  it.each([
    ['number', '0x10'],
    ['number', '1e3'],
    ['number', ''],
    ['number', '01'],
    ['boolean', 'yes'],
  ] as const)('error: a %s is not %j', (kind, text) => {
    expect(() => valueOf(field(kind), text)).toThrow();
  });

  it('error: an address with a wrong checksum, as flags and arguments read it', () => {
    const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    expect(valueOf(field('text'), address)).toBe(address);
    expect(() => valueOf(field('text'), address.replace('5aA', '5aa'))).toThrow('has a wrong checksum');
  });

  it('error: a word that is none of the choices', () => {
    expect(() => valueOf(field('text', ['buy', 'sell']), 'up')).toThrow('buy, sell');
  });

  it('behavior: words with dots make objects, and unknown ones are refused', () => {
    const { fields } = operations.tradeToken ?? expect.fail();
    expect(inputOfWords(fields, ['builder.fee=50', 'builder.code=0x1', 'buyAmountUSD=2', 'tokenId=a=b'])).toEqual({
      builder: { fee: 50, code: '0x1' },
      buyAmountUSD: 2,
      tokenId: 'a=b',
    });
    expect(inputOfWords(fields, ['builder={"fee":1}'])).toEqual({ builder: { fee: 1 } });
    expect(() => inputOfWords(fields, ['buyAmountUsd=2'])).toThrow('no field buyAmountUsd');
    expect(() => inputOfWords(fields, ['buyAmountUSD'])).toThrow('no name=value');
    expect(flagOf('budget.perTradeUsd')).toBe('budget-per-trade-usd');
    expect(flagOf('buyAmountUSD')).toBe('buy-amount-usd');
  });
});

describe('exit codes', () => {
  it('behavior: every error of the catalogue ends with the class that a script can act on', () => {
    const exits = Object.groupBy(
      Object.keys(errorCatalogue) as ErrorCode[],
      (code) => told(new MintageError(code, 'x')).exit,
    );
    expect(exits).toMatchInlineSnapshot(`
      {
        "absent": [
          "TOKEN_NOT_FOUND",
          "REFERRAL_CODE_NOT_FOUND",
          "USER_NOT_FOUND",
          "POST_NOT_FOUND",
          "WEBHOOK_NOT_FOUND",
          "TRANSACTION_NOT_FOUND",
          "EVENT_NOT_FOUND",
        ],
        "credential": [
          "MEDIA_QUOTA_EXCEEDED",
          "FILMS_NOT_YET",
          "AUTHENTICATION_FAILED",
          "IDENTITY_NOT_REGISTERED",
          "INVALID_ACTION_SIGNATURE",
          "INVALID_REGISTER_MESSAGE",
          "ACTION_EXPIRED",
          "REPLAY_DETECTED",
          "REFERRAL_VOLUME_TOO_LOW",
          "USERNAME_COOLDOWN",
          "HUB_MEMBERS_ONLY",
          "HUB_HOLDERS_ONLY",
          "HUB_INVITE_ONLY",
          "HUB_BANNED",
          "NOT_THE_HUB_OWNER",
          "NOT_THE_AUTHOR",
          "BLOCKED",
          "HOLDINGS_PRIVATE",
          "USER_SUSPENDED",
          "NOT_AN_OPERATOR",
          "SCOPE_MISSING",
          "BUDGET_EXCEEDED",
          "RECIPIENT_NOT_ALLOWED",
          "CONFIRMATION_NEEDED",
          "ACCESS_TOO_NEW",
          "ACCOUNT_FROZEN",
          "EXECUTION_PAUSED",
          "FORBIDDEN_ORIGIN",
        ],
        "later": [
          "IDEMPOTENCY_IN_PROGRESS",
          "RATE_LIMIT_EXCEEDED",
          "INTERNAL_ERROR",
          "NETWORK_ERROR",
          "ROUTE_PAUSED",
          "SERVICE_UNAVAILABLE",
          "UNREACHABLE",
          "UNEXPECTED_ANSWER",
        ],
        "refused": [
          "ROUTE_THROUGH_HOME",
          "NO_VENUE_ON_CHAIN",
          "TOKEN_REGISTERED",
          "TRANSFER_LIMIT",
          "NATIVE_FEE_TOO_HIGH",
          "INSUFFICIENT_BALANCE",
          "AMOUNT_TOO_SMALL",
          "BEYOND_CURVE",
          "BEYOND_RESERVE",
          "PARTIAL_FILL",
          "SLIPPAGE_EXCEEDED",
          "DEADLINE_PASSED",
          "TRANSACTION_EXPIRED",
          "INSUFFICIENT_ALLOWANCE",
          "TRANSACTION_FAILED",
          "FEES_EXCEED_AMOUNT",
          "SLIPPAGE_TOO_HIGH",
          "ACKNOWLEDGEMENT_MISSING",
          "UNSAFE_RECIPIENT",
          "TEXT_NOT_ALLOWED",
          "REFERRAL_SELF",
          "REFERRAL_CODE_INACTIVE",
          "REFERRAL_CODE_TAKEN",
          "REFERRAL_CODE_EXISTS",
          "REFERRAL_ALREADY_SET",
          "USERNAME_TAKEN",
          "USERNAME_RESERVED",
          "VOTE_TARGET_NOT_FOUND",
          "CANNOT_TARGET_SELF",
          "TOO_MANY_FOLLOWS",
          "MEDIA_WITHDRAWN",
          "TOO_MANY_KEYS",
          "TOO_MANY_PASSKEYS",
          "TOO_MANY_WALLETS",
          "WALLET_TAKEN",
          "LAST_WAY_IN",
          "TOO_MANY_WEBHOOKS",
          "IDEMPOTENCY_CONFLICT",
          "BYTES_DIFFER",
          "WALLET_REFUSED",
          "WALLET_ELSEWHERE",
          "WEBHOOK_NOT_GENUINE",
        ],
        "sent": [
          "TRANSACTION_REVERTED",
          "IDEMPOTENCY_OUTCOME_UNKNOWN",
          "IDEMPOTENCY_ANSWER_GONE",
          "OUTCOME_UNKNOWN",
          "SENT_UNCONFIRMED",
        ],
        "usage": [
          "INVALID_PARAMETERS",
          "INVALID_JSON",
          "UNSUPPORTED_CHAIN",
          "MEDIA_INVALID",
          "MEDIA_TOO_LARGE",
          "MEDIA_UNREACHABLE",
          "NOT_FOUND",
          "METHOD_NOT_ALLOWED",
          "UPGRADE_REQUIRED",
          "PAYLOAD_TOO_LARGE",
        ],
      }
    `);
  });

  it('behavior: what to do next is said once, in the words of the command line', () => {
    for (const code of Object.keys(errorCatalogue) as ErrorCode[]) {
      const { message, next } = told(new MintageError(code, `It is so. ${errorCatalogue[code].next}`));
      expect(message).toBe('It is so.');
      expect(next).not.toBeNull();
    }
  });

  it('behavior: what was mined and failed was sent, whatever its code', () => {
    const mined = new MintageError('SLIPPAGE_EXCEEDED', 'x', { details: { hash: '0x1' } });
    expect(told(mined).exit).toBe('sent');
    expect(told(new MintageError('SLIPPAGE_EXCEEDED', 'x')).exit).toBe('refused');
    expect(told(new TypeError('x')).exit).toBe('unexpected');
    expect(new Set(Object.values(exitCodes).map(({ code }) => code)).size).toBe(Object.keys(exitCodes).length);
  });
});

describe('what is shown', () => {
  it('behavior: names of strangers move no cursor, set no colour and turn no direction', () => {
    const name = 'Safe\u001b[2J\u202eCoin\u0007\nx\u200b';
    const shown = table([{ name }], [{ head: 'token', of: (row) => row.name }]);
    expect(shown).toContain('Safe\\u001b[2J\\u202eCoin\\u0007\\u000ax\\u200b');
    expect(shown.split('\n')).toHaveLength(2);
  });

  it('default: amounts for the eye, cut and never rounded up; unknown is not zero', () => {
    expect(short('1234567.89999')).toBe('1 234 567.8999');
    expect(short(null)).toBeNull();
    expect([dollars(0), dollars('0.0000123456'), dollars(-3.5), dollars(null)]).toEqual([
      '$0',
      '$0.0000123',
      '-$3.5',
      null,
    ]);
    expect([counted(1, 'token'), counted(2, 'token')]).toEqual(['1 token', '2 tokens']);
    expect([dollars(12.345, 4), dollars(12.3, 3)]).toEqual(['$12.345', '$12.3']);
    expect(ago('2026-01-01T00:00:00Z', Date.parse('2026-01-02T01:00:00Z'))).toBe('1 d ago');
    expect(table([{ price: null }], [{ head: 'price', of: ({ price }) => price }])).toContain('–');
  });

  it('default: candles fit the terminal, the newest on the right, within the labels', () => {
    const bars = [
      { open: 1, high: 3, low: 1, close: 2 },
      { open: 2, high: 2, low: 2, close: 2 },
    ];
    const drawn = drawCandles(bars, 20, (price) => price.toFixed(1)).split('\n');
    expect(drawn.map((line) => line.trimEnd())).toMatchInlineSnapshot(`
      [
        " 3.0 │",
        "     │",
        "     │",
        "     │",
        "     │",
        "     │",
        "     │",
        " 2.0 ┃╻",
        "     ┃",
        "     ┃",
        "     ┃",
        "     ┃",
        "     ┃",
        " 1.0 ┃",
      ]
    `);
    const near = [{ open: 0.0000111, high: 0.00001112, low: 0.0000111, close: 0.00001112 }];
    const labels = drawCandles(near, 40, (price, digits) => dollars(price, digits) ?? '').match(/\$[\d.]+/g);
    expect(labels).toEqual(['$0.00001112', '$0.00001111', '$0.00001110']);
    const many = drawCandles(
      Array.from({ length: 500 }, () => bars[0] ?? expect.fail()),
      60,
      String,
    ).split('\n');
    expect(Math.max(...many.map((line) => line.length))).toBeLessThanOrEqual(60);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { campaign } from '@mintage/devnet/random';
import { tradeKinds } from '@mintage/protocol';
import { describe, expect, it } from 'vitest';
import { buildNative } from '../build/build.ts';
import { randomSolanaCase, type SolanaCase } from './machine/cases.ts';
import { expectedOf } from './machine/expected.ts';

/**
 * Whether TypeScript and the program say the same of random orders, on this computer: the pinned compiler makes the program's own files
 * a native one (`CASES=10000000`).
 */

describe('the program’s maths on this computer', () => {
  const source = fileURLToPath(new URL('../program/native/quotes.rs', import.meta.url));

  const lineOf = ({ launch, order, limit }: SolanaCase): string =>
    [
      launch.isGraduated ? 1 : 0,
      launch.poolType.id,
      launch.tokensLeft,
      launch.reserveUsd,
      launch.floorUsd,
      tradeKinds.indexOf(order.kind),
      order.amount,
      limit,
      order.feeBps,
      order.builderBps,
      order.hasReferral ? 1 : 0,
      order.hasReferrer ? 1 : 0,
    ].join(' ');

  const answerOf = (one: SolanaCase): string => {
    const expected = expectedOf(one);
    if (typeof expected === 'string') return expected;
    const { trade, tokensLeft, reserveUsd } = expected;
    const { builder, excess, creator, referral, referrer, cashback, treasury } = trade.fees;
    const parts = [builder, excess, creator, referral, referrer, cashback, treasury];
    return [trade.grossUsd, trade.netUsd, trade.tokens, tokensLeft, reserveUsd, ...parts].join(' ');
  };

  it('C7 is TypeScript’s to the base unit', async () => {
    const { random, cases } = campaign('native maths', 20_000);
    const folder = mkdtempSync(join(tmpdir(), 'mintage-solana-'));
    try {
      await buildNative(source, join(folder, 'quotes'));
      const program = spawn(join(folder, 'quotes'), { stdio: ['pipe', 'pipe', 'inherit'] });
      const asked = new Map<number, SolanaCase>();
      const answers = (async (): Promise<number> => {
        let count = 0;
        for await (const line of createInterface({ input: program.stdout })) {
          const one = asked.get(count);
          if (one === undefined) throw new Error('An answer to no question.');
          if (answerOf(one) !== line) expect(`${lineOf(one)}: ${line}`).toBe(`${lineOf(one)}: ${answerOf(one)}`);
          asked.delete(count);
          count += 1;
        }
        return count;
      })();
      for (let at = 0; at < cases; at += 1) {
        const one = randomSolanaCase(random);
        asked.set(at, one);
        if (!program.stdin.write(`${lineOf(one)}\n`)) await once(program.stdin, 'drain');
      }
      program.stdin.end();
      expect(await answers).toBe(cases);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

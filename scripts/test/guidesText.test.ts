import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buyFeeBps, poolTypes, totalSupply } from '@mintage/protocol';
import { describe, expect, it } from 'vitest';
import { feeTable } from '../../packages/protocol/src/schemas/feeTable.ts';
import { stepsOf } from '../guides/blocks.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pages = globSync('docs/guides/*.md', { cwd: root }).toSorted();
const read = (page: string) => readFileSync(join(root, page), 'utf8');

describe('the text of the guides', () => {
  it.each(pages)(
    '%s: begins with a title and what its reader can do afterwards, and links to what is there',
    (page) => {
      const text = read(page);
      expect(text).toMatch(/^# .+\n\nAfterwards [^\n]+/);
      const targets = [...text.matchAll(/\]\(([^)#\s]+)\)/g)].map(([, target = '']) => target);
      const missing = targets.filter(
        (target) => !/^https?:/.test(target) && !existsSync(join(root, dirname(page), target)),
      );
      expect(missing).toEqual([]);
    },
  );

  it('every program in them is strict TypeScript', () => {
    const folder = mkdtempSync(join(root, '.guides-'));
    try {
      for (const page of pages) {
        const place = join(folder, page.replaceAll('/', '-'));
        mkdirSync(place);
        for (const [name, text] of stepsOf(read(page)).files)
          if (name.endsWith('.ts')) writeFileSync(join(place, name), text);
      }
      const config = { extends: '../tsconfig.json', include: ['**/*.ts'], exclude: [] };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
      const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
      expect(stdout).toBe('');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('how-the-money-flows: says the numbers of the code', () => {
    const text = read('docs/guides/how-the-money-flows.md');
    const percent = (bps: bigint) => `${Number(bps) / 100} %`;
    const whole = (amount: bigint) => amount.toLocaleString('en');
    const window = [0n, 1n, 2n, 3n, 4n, 5n, 6n].map((second) => percent(buyFeeBps(second)));
    expect(text).toContain(`| Fee of a buy | ${window.join(' | ')} |`);
    for (const type of poolTypes) {
      const first = (totalSupply * type.virtualUsd) / type.virtualTokens;
      const last = (totalSupply * (type.virtualUsd + type.raiseUsd)) / (type.virtualTokens - type.curveTokens);
      const reward = type.creatorRewardUsd === 0n ? 'nothing' : `$${whole(type.creatorRewardUsd)}`;
      const [tokens, pool, raise] = [whole(type.curveTokens), whole(type.poolTokens), whole(type.raiseUsd)];
      const row = `| ${tokens} | ${pool} | $${raise} | ${reward} | $${whole(first)} and $${whole(last)} |`;
      expect(text.split('\n').find((line) => line.startsWith(`| \`${type.slug}\``))).toContain(row);
    }
    const share = (part: string, named: { hasReferral: boolean; hasReferrer: boolean }) => {
      const row = feeTable.find((one) => one.part === part);
      return `${(Number(row?.shareBps?.(named)) / 100).toFixed(2)} %`;
    };
    const alone = { hasReferral: false, hasReferrer: false };
    const both = { hasReferral: true, hasReferrer: true };
    expect(text).toContain(
      `| ${share('creator', alone)} | the token's creator | always; ${share('creator', both)} where`,
    );
    expect(text).toContain(`| ${share('referral', both)} | the token referral |`);
    expect(text).toContain(`| ${share('referrer', both)} | the protocol referrer |`);
    expect(text).toContain(`| ${share('cashback', both)} | the trader, as cashback |`);
  });
});

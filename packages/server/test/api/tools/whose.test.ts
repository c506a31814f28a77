import { toolsOn } from '@mintage/protocol/tools';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolsPath } from '../../../src/api/surfaces/oauth/addresses.ts';
import {
  leaksIn,
  type People,
  type Person,
  rowsMentioning,
  startPeople,
  unsay,
  withoutNames,
} from '../surfaces/people.ts';
import { filled, leavesOf, sampleOf } from '../surfaces/samples.ts';

type Fields = Record<string, unknown>;

/**
 * With `CASES=all` each of ten users tries every id in every parameter. Otherwise each id in one that takes few kinds is tried by
 * one of them, and of the rest (free text) one in forty.
 */
const isWhole = process.env.CASES === 'all';
const fewKinds = 4;
const users = isWhole ? 10 : 4;
const tools = toolsOn(['base', 'base-sepolia']);

/** Tables in which the caller's own new row may hold what was typed. */
const ofTheCaller = new Set(['token_draft', 'webhook', 'api_key', 'budget']);
const namesWallets = new Set(['auth_challenge', 'intent_step']);

describe('whose, through tools', () => {
  let people: People;
  const keys = new Map<Person, string>();
  beforeAll(async () => {
    people = await startPeople(users);
    for (const one of people.all) {
      const { body } = await people.api.call('createApiKey', { name: 'assistant' }, { bearer: one.bearer });
      keys.set(one, body.key);
    }
  });
  afterAll(() => people?.stop());

  const call = async (name: string, parameters: Fields, who: Person): Promise<string> => {
    const answer = await people.api.inject({
      method: 'POST',
      url: toolsPath,
      headers: {
        host: '127.0.0.1',
        authorization: `Bearer ${keys.get(who)}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: parameters } }),
    });
    expect(answer.statusCode).toBe(200);
    return answer.body;
  };

  /** The example, or the least that is valid, about the thief's own things. */
  const baseOf = ({ input, example }: (typeof tools)[number], thief: Person): Fields => {
    const own: Fields = {
      tokenId: people.tokenId,
      token_id: people.tokenId,
      userAddress: thief.wallet,
      simulate: false,
    };
    const kept = Object.entries(own).filter(([key]) => key in input.shape);
    return { ...(sampleOf(input) as Fields), ...withoutNames(example), ...Object.fromEntries(kept) };
  };

  it('T5 W5 nobody reads or changes what is another’s by naming it in any parameter of any tool', async () => {
    const attempts = tools.flatMap((tool) =>
      leavesOf(tool.input).flatMap((leaf) =>
        Object.keys(people.all[0]?.ids ?? {}).flatMap((id) =>
          leaf.schema.safeParse(people.all[0]?.ids[id]).success ? [{ tool, leaf, id }] : [],
        ),
      ),
    );
    const turns = ({ leaf }: (typeof attempts)[number]): number => {
      const kinds = Object.values(people.all[0]?.ids ?? {}).filter((id) => leaf.schema.safeParse(id).success).length;
      return kinds <= fewKinds ? users : 40;
    };
    let asked = 0;
    for (const [who, victim] of people.all.entries()) {
      const thief = people.all[(who + 1) % users] as Person;
      const names = [...victim.secrets, victim.wallet, victim.embedded];
      const before = await rowsMentioning(people.api, names);
      for (const [which, attempt] of attempts.entries()) {
        if (!isWhole && (which + who) % turns(attempt) !== 0) continue;
        const { tool, leaf, id } = attempt;
        asked += 1;
        const value = victim.ids[id];
        const executes = 'autoExecute' in tool.input.shape && which % 2 === 0 ? { autoExecute: true } : {};
        const parameters = { ...filled({ ...leaf, base: baseOf(tool, thief) }, value), ...executes };
        const text = await call(tool.name, parameters, thief);
        await unsay(people.api, thief);
        const leaked = leaksIn(text, value, victim, tool.operation.access === 'public');
        expect({ tool: tool.name, field: leaf.path.join('.'), id, leaked }).toMatchObject({ leaked: [] });
      }
      const after = await rowsMentioning(people.api, names);
      expect([...before].filter((row) => !after.has(row))).toEqual([]);
      for (const row of after) {
        if (before.has(row)) continue;
        const table = row.slice(0, row.indexOf(':'));
        const isOwn = ofTheCaller.has(table) && row.includes(thief.userId);
        const isWallet = namesWallets.has(table) && !victim.secrets.some((secret) => row.includes(secret));
        // Somebody is told what was done to them, in words of ours.
        const isTold =
          table === 'happening' && victim.secrets.every((one) => one === victim.userId || !row.includes(one));
        expect([row, isOwn || isWallet || isTold]).toEqual([row, true]);
      }
    }
    console.log(`${asked} of ${attempts.length * users} calls by ${users} users`);
    expect(asked).toBeGreaterThan(users * 10);
  });
});

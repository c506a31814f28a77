import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  leaksIn,
  type People,
  type Person,
  rowsMentioning,
  startPeople,
  unsay,
  withoutNames,
} from './surfaces/people.ts';
import { filled, leavesOf, sampleOf } from './surfaces/samples.ts';
import { type Surface, surfacesOf } from './surfaces/surfaces.ts';

type Fields = Record<string, unknown>;

/**
 * Of ten users each tries every id in every field with `CASES=all`. Otherwise each id in a field that takes few kinds is tried
 * by one of them, and of the rest (fields of free text) one in forty.
 */
const isWhole = process.env.CASES === 'all';
const fewKinds = 4;
const users = 10;

/** Tables in which the caller's own new row may hold what was typed: a name, a wallet to prepare for, listen to or allow. */
const ofTheCaller = new Set(['token_draft', 'webhook', 'api_key', 'budget']);
/** Tables in which a new row may name a wallet of somebody else: who is asked to sign in, and whom the caller sends to. */
const namesWallets = new Set(['auth_challenge', 'intent_step']);

/** One body of the matrix: what is stolen and where it was put. */
interface Attempt {
  surface: Surface;
  field: string;
  id: string;
  input(thief: Person, value: unknown): Fields;
  takes(value: unknown): boolean;
}

const hasField = (input: Surface['input'], name: string): boolean =>
  leavesOf(input).some(({ path }) => path[0] === name);

describe('whose', () => {
  let people: People;
  beforeAll(async () => {
    people = await startPeople(users);
  });
  afterAll(() => people.stop());

  const call = async (surface: Surface, input: Fields, { bearer }: Person) => {
    const request: InjectOptions = { ...surface.request(input), headers: { authorization: `Bearer ${bearer}` } };
    const answer = await people.api.inject(surface.lasts ? { ...request, payloadAsStream: true } : request);
    if (surface.lasts) answer.stream().destroy();
    return { status: answer.statusCode, text: surface.lasts ? '' : answer.body };
  };

  /** The docs' example, or the least that is valid, about the thief's own things. */
  const baseOf = ({ input, example }: Surface, thief: Person): Fields => {
    const base = { ...(sampleOf(input) as Fields), ...withoutNames(example) };
    const own: Fields = {
      tokenId: people.tokenId,
      token_id: people.tokenId,
      userAddress: thief.wallet,
      wallet_address: thief.wallet,
      simulate: false,
    };
    for (const [key, value] of Object.entries(own)) {
      const put = { ...base, [key]: value };
      if (hasField(input, key) && input.safeParse(put).success) Object.assign(base, put);
    }
    for (const id of [thief.webhookId, thief.keyId])
      if (input.safeParse({ ...base, id }).success && 'id' in base) base.id = id;
    return base;
  };

  const attempts = (): Attempt[] =>
    surfacesOf('mintage', 'Testnet').flatMap((surface) =>
      leavesOf(surface.input).flatMap((leaf) => {
        const takes = (value: unknown) => leaf.schema.safeParse(value).success;
        const executes = hasField(surface.input, 'execute');
        return (executes ? [undefined, true] : [undefined]).flatMap((execute) =>
          Object.keys(people.all[0]?.ids ?? {}).map((id) => ({
            surface,
            field: leaf.path.join('.'),
            id,
            takes,
            input: (thief: Person, value: unknown) => ({
              ...filled({ ...leaf, base: baseOf(surface, thief) }, value),
              ...(execute === undefined ? {} : { execute }),
            }),
          })),
        );
      }),
    );

  /** A thief may call a token of their own what they like: then its slug is that as well. */
  const isSlugOfOwn = (row: string, rows: ReadonlySet<string>, { userId }: Person): boolean => {
    const [, tokenId = ''] = row.startsWith('token_slug:') ? row.split(',') : [];
    const isDraft = (other: string): boolean =>
      other.startsWith('token_draft:') && other.includes(userId) && other.includes(tokenId);
    return tokenId !== '' && [...rows].some(isDraft);
  };

  it('default: what is secret is there, and its owner is told', async () => {
    const [one] = people.all as [Person];
    const told: string[] = [];
    for (const surface of surfacesOf('mintage', 'Testnet')) {
      const base = baseOf(surface, one);
      told.push((await call(surface, base, one)).text);
      if (hasField(surface.input, 'intentId')) told.push((await call(surface, { intentId: one.ids.intent }, one)).text);
    }
    const all = told.join('\n');
    for (const secret of [...one.secrets, ...one.ownFigures]) {
      if (secret === one.ids.intent) continue; // asked for by it, and told what became of it
      if (secret.startsWith('private-name')) for (const what of ['key', 'hook']) expect(all).toContain(secret + what);
      else expect([secret, all.includes(secret)]).toEqual([secret, true]);
    }
  });

  const statuses = new Map<number, number>();
  const firstUsers = Array.from({ length: users }, (_, who) => who);

  it.each(firstUsers)(
    'W5 nobody reads or changes what is user %i’s by naming it in any field of any operation',
    async (who) => {
      const victim = people.all[who] as Person;
      const thief = people.all[(who + 1) % users] as Person;
      const tries = attempts().filter(({ takes, id }) => takes(people.all[0]?.ids[id]));
      const turns = ({ takes }: Attempt): number => {
        if (isWhole) return 1;
        const kinds = Object.values(people.all[0]?.ids ?? {}).filter(takes).length;
        return kinds <= fewKinds ? users : 40;
      };
      const names = [...victim.secrets, victim.wallet, victim.embedded];
      const before = await rowsMentioning(people.api, names);
      for (const [which, attempt] of tries.entries()) {
        if ((which + who) % turns(attempt) !== 0) continue;
        const { surface, field, id, input } = attempt;
        const value = victim.ids[id];
        const { status, text } = await call(surface, input(thief, value), thief);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        await unsay(people.api, thief);
        const leaked = leaksIn(text, value, victim, surface.access === 'public');
        expect({ surface: surface.name, field, id, leaked }).toEqual({ surface: surface.name, field, id, leaked: [] });
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
        expect([row, isOwn || isWallet || isTold || isSlugOfOwn(row, after, thief)]).toEqual([row, true]);
      }
      expect(people.delivered().filter((text) => victim.secrets.some((secret) => text.includes(secret)))).toEqual([]);
    },
  );

  it('W5 none of these calls is a fault of the service, and some are answered', () => {
    const counts = [...statuses].toSorted().map(([status, count]) => `${count} × ${status}`);
    console.log(counts.join(', '));
    expect(statuses.get(500)).toBeUndefined();
    expect(statuses.get(200)).toBeGreaterThan(0);
  });
});

import { type Calls, createReader, session, signIn } from '@mintage/sdk';
import { always, open, press, type Shown, type Stage, type State } from '../stage.ts';

/** Calls of alice, who created Paper Boat. */
const alice = async ({ url, chain }: Stage): Promise<{ api: Calls; userId: string }> => {
  const signedIn = await signIn(createReader({ baseUrl: url }), chain.accounts.alice);
  return { api: createReader({ baseUrl: url, auth: session(signedIn) }), userId: signedIn.userId };
};

/** A post of hers with a comment. @returns Its id. */
const posted = async (stage: Stage): Promise<string> => {
  const { api } = await alice(stage);
  const { post } = await api.createPost({
    text: 'gm $BOAT, see https://example.com/plans #paper',
    taggedCoinId: 'paper-boat',
  });
  await api.createPost({ text: 'Folded on a Sunday.', parent_id: post.id });
  return post.id;
};

const hubOf = '/token/paper-boat?view=posts';

export const feed: Shown = {
  path: '/feed',
  states: [
    ...always,
    { name: 'the best', path: '/feed?feed=top&window=all' },
    { name: 'whom one follows, nobody signed in', path: '/feed?feed=following' },
    { name: 'whom one follows, nobody yet', path: '/feed?feed=following', who: 'newcomer' },
    { name: 'a tag that nobody used', path: '/feed?tag=nothing' },
    {
      name: 'the hub of a token',
      path: hubOf,
      who: 'newcomer',
      act: async (stage) => {
        await posted(stage);
        await open(stage, hubOf);
      },
    },
    {
      name: 'managing a hub',
      path: hubOf,
      who: 'alice',
      act: ({ page }) => press(page, 'Manage'),
    },
  ],
};

export const post: Shown = {
  path: '/post/11111111-1111-4111-8111-111111111111',
  states: [
    {
      name: 'as it is',
      act: async (stage) => open(stage, `/post/${await posted(stage)}`),
    },
    {
      name: 'one’s own',
      who: 'alice',
      act: async (stage) => open(stage, `/post/${await posted(stage)}`),
    },
    {
      name: 'to report',
      who: 'newcomer',
      act: async (stage) => {
        await open(stage, `/post/${await posted(stage)}`);
        await stage.page.getByRole('button', { name: 'Report' }).first().click();
      },
    },
    { name: 'none', path: '/post/11111111-1111-4111-8111-111111111111' },
    { name: 'loading', answers: 'none' },
    { name: 'error', answers: 'refused' },
  ],
};

const toProfile =
  (search = ''): NonNullable<State['act']> =>
  async (stage) =>
    open(stage, `/user/${(await alice(stage)).userId}${search}`);

export const user: Shown = {
  path: '/user/nobody_here',
  states: [
    { name: 'somebody', who: 'newcomer', act: toProfile() },
    { name: 'what they created', act: toProfile('?view=tokens') },
    { name: 'one’s own', who: 'alice', act: toProfile() },
    {
      name: 'editing',
      who: 'alice',
      act: async (stage) => {
        await toProfile()(stage);
        await press(stage.page, 'Edit profile');
      },
    },
    { name: 'none' },
    { name: 'loading', answers: 'none' },
    { name: 'error', answers: 'refused' },
  ],
};

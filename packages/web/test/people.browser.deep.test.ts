import { type Calls, createReader, session } from '@mintage/sdk';
import type { Locator, Page } from 'playwright-core';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { planted } from './planted.ts';
import { hasNoFault, type KeptSession, picture, useWorld } from './world.ts';

/** Profiles, posts, votes and hubs, in a real browser over a real service and its chains. */
const world = useWorld({ env: { CHAINS: 'base-sepolia' } });

interface Somebody {
  id: string;
  /** Calls of theirs, outside of the browser. */
  api: Calls;
  session: KeptSession & { address: string };
  /** A page of their browser. */
  open(path: string): Promise<{ page: Page; complaints: readonly string[] }>;
}

const somebody = async (account: PrivateKeyAccount = privateKeyToAccount(generatePrivateKey())): Promise<Somebody> => {
  const kept = { ...(await world.sessionOf(account)), address: account.address.toLowerCase() };
  return {
    id: kept.userId,
    api: createReader({ baseUrl: world.app, auth: session(kept) }),
    session: kept,
    async open(path) {
      const context = await world.newContext();
      await world.keep(context, { session: kept });
      return world.visit(path, context);
    },
  };
};

/** The token of these tests, and whoever created it. */
const token = 'paper-boat';
const owner = (): Promise<Somebody> => somebody(world.chain.accounts.alice);

const postBy = (page: Page, text: string): Locator =>
  page
    .getByRole('article')
    .filter({ has: page.getByText(text, { exact: true }) })
    .first();
const press = (place: Page | Locator, name: string | RegExp): Promise<void> =>
  place.getByRole('button', { name, exact: true }).click();

describe('a profile', () => {
  it('default: reads without scripts, and says in its head whose it is', async () => {
    const bea = await somebody();
    await bea.api.updateUser({
      username: 'bea_reads',
      display_name: 'Bea',
      bio: 'One line.\nAnother one.',
      links: { website: 'https://bea.example/about' },
    });
    await bea.api.createPost({ text: 'My first post' });
    for (const path of ['/user/bea_reads', `/user/${bea.id}`]) {
      const { page } = await world.visit(path, { javaScriptEnabled: false });
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Bea');
      expect(await page.title()).toBe('Bea (@bea_reads) · Mintage');
      expect(await page.locator('link[rel=canonical]').getAttribute('href')).toMatch(/\/user\/bea_reads$/);
      await page.getByText('Another one.').waitFor();
      await postBy(page, 'My first post').waitFor();
      const link = page.getByRole('link', { name: 'bea.example/about' });
      expect([await link.getAttribute('href'), await link.getAttribute('rel')]).toEqual([
        'https://bea.example/about',
        'noopener nofollow ugc',
      ]);
    }
    const { page: made } = await world.visit(`/user/${(await owner()).id}?view=tokens`, { javaScriptEnabled: false });
    await made.getByRole('link', { name: /Paper Boat/ }).waitFor();
  });

  it('error: nobody by that name is a page that says so, with scripts too', async () => {
    for (const path of ['/user/nobody_here', '/post/11111111-1111-4111-8111-111111111111']) {
      const { page } = await world.visit(path);
      expect(await page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual(['Not found']);
      expect(await page.locator('meta[name=robots]').getAttribute('content')).toBe('noindex');
      await hasNoFault(page, path, [360]);
    }
  });

  it('behavior: is changed by whose it is: only what changed, and a name that is free', async () => {
    const [cleo, other] = [await somebody(), await somebody()];
    await other.api.updateUser({ username: 'taken_name' });
    const { page, complaints } = await cleo.open(`/user/${cleo.id}`);
    await press(page, 'Edit profile');
    const dialog = page.getByRole('dialog', { name: 'Edit profile' });
    await dialog.getByLabel('Username').fill('taken_narne');
    await dialog.getByText('Somebody has it, or one that looks like it.').waitFor();
    await hasNoFault(page, 'editing a profile', [360]);
    await press(dialog, 'Save');
    expect(await dialog.isVisible()).toBe(true);
    await dialog.getByLabel('Username').fill('Cleo_Writes');
    await dialog.getByText('It is free.').waitFor();
    await dialog.getByLabel('Name', { exact: true }).fill('Cleo');
    await dialog.getByLabel('Website').fill('javascript:alert(1)');
    await press(dialog, 'Save');
    await dialog.getByText('The link of Website is no https address.').waitFor();
    await dialog.getByLabel('Website').fill('cleo.example');
    await dialog.locator('input[type=file]').first().setInputFiles(picture);
    await dialog.getByLabel('Show my wallets').uncheck();
    const asked = page.waitForRequest('**/update-user');
    await press(dialog, 'Save');
    expect(JSON.parse((await asked).postData() ?? '')).toEqual({
      username: 'cleo_writes',
      display_name: 'Cleo',
      links: { website: 'cleo.example' },
      settings: { show_wallet: false },
      profile_picture: expect.stringMatching(/^data:image\/png;base64,/),
    });
    await page.waitForURL('**/user/cleo_writes');
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Cleo');
    await page.getByRole('link', { name: 'cleo.example' }).waitFor();
    expect(await page.locator('.profile-head .avatar').getAttribute('src')).toMatch(/\/functions\/v1\/ipfs\//);
    await hasNoFault(page, 'one’s own profile');
    expect(complaints).toEqual([]);
  });

  it('behavior: others follow, block and let go, and are asked to sign in first', async () => {
    const [dora, emil] = [await somebody(), await somebody()];
    await dora.api.updateUser({ username: 'dora' });
    const { page: anonymous } = await world.visit('/user/dora');
    await press(anonymous, 'Follow');
    await anonymous.getByRole('dialog', { name: 'Sign in' }).waitFor();

    const { page, complaints } = await emil.open('/user/dora');
    await press(page, 'Follow');
    await page.getByRole('button', { name: '1 follower', exact: true }).waitFor();
    await page.getByRole('button', { name: '1 follower', exact: true }).click();
    const followers = page.getByRole('dialog', { name: 'Followers' });
    await followers.getByRole('link').waitFor();
    await hasNoFault(page, 'followers', [360]);
    await press(followers, 'Close');
    await press(page, 'Unfollow');
    await page.getByRole('button', { name: '0 followers', exact: true }).waitFor();
    await press(page, 'Block @dora');
    await press(page, 'Block @dora: Yes, do it');
    await page.getByText('You block them').waitFor();
    expect((await emil.api.getBlocked({})).users.map(({ id }) => id)).toEqual([dora.id]);
    await world.go(page, `/user/${emil.id}`);
    await press(page, 'People you block');
    await press(page.getByRole('dialog'), 'Unblock');
    await page.getByRole('dialog').getByText('Nobody yet.').waitFor();
    expect((await emil.api.getBlocked({})).users).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

describe('posts', () => {
  it('default: somebody writes about a token with a picture, by keys alone, and it leads where it says', async () => {
    const [fay, gus] = [await somebody(), await somebody()];
    await gus.api.updateUser({ username: 'gus_here' });
    const { page, complaints } = await fay.open(`/token/${token}`);
    await page.getByRole('link', { name: /^Posts/ }).click();
    await page.waitForURL('**/token/paper-boat?view=posts');
    const field = page.getByLabel('Write about BOAT');
    await field.fill('x'.repeat(2_001));
    await page.getByText('Too long: at most 2,000 characters.').waitFor();
    await field.fill('gm $BOAT @gus_here #sea https://boats.example/a');
    await page.locator('.composer input[type=file]').first().setInputFiles([picture]);
    await page.getByRole('button', { name: 'Remove fern.png' }).waitFor();
    await field.focus();
    for (let tabs = 0; tabs < 3; tabs += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Posted.' }).waitFor();
    expect(await field.inputValue()).toBe('');
    const post = page.getByRole('article').filter({ hasText: 'gm $BOAT @gus_here' });
    expect(await post.getByRole('img', { name: 'Picture of the post' }).getAttribute('src')).toMatch(/\/ipfs\//);
    const { hub } = await world.api.getHub({ token_id: token });
    const places = await post
      .locator('.post-text a')
      .evaluateAll((links) => links.map((one) => one.getAttribute('href')));
    expect(places).toEqual([`/token/${hub.id}`, `/user/${gus.id}`, '/feed?tag=sea', 'https://boats.example/a']);
    expect(await post.getByRole('link', { name: 'https://boats.example/a' }).getAttribute('rel')).toBe(
      'noopener nofollow ugc',
    );

    await post.getByRole('link', { name: '#sea' }).click();
    await page.waitForURL('**/feed?tag=sea');
    await page.getByRole('heading', { level: 1, name: 'Posts with #sea' }).waitFor();
    await page.getByRole('article').getByText('gm $BOAT').waitFor();
    expect(complaints).toEqual([]);
  });

  it('behavior: a vote counts with what its voter holds, and is taken back; the order of the list stays', async () => {
    const [carol, hal] = [await somebody(world.chain.accounts.carol), await somebody()];
    const { post: first } = await hal.api.createPost({ text: 'Vote on this', taggedCoinId: token });
    await hal.api.createPost({ text: 'Not on this', taggedCoinId: token });
    const { page, complaints } = await carol.open(`/token/${token}?view=posts`);
    const card = postBy(page, 'Vote on this');
    await press(card, 'Vote for it: 0 did');
    await card.getByText(/BOAT for, 0 against$/).waitFor();
    const { votes } = (await world.api.getPost({ post_id: first.id })).post;
    expect([votes.upvotes, Number(votes.weighted_upvotes) > 0]).toEqual([1, true]);
    const up = card.getByRole('button', { name: 'Vote for it: 1 did' });
    expect(await up.getAttribute('aria-pressed')).toBe('true');
    expect((await page.getByRole('article').allInnerTexts())[0]).toContain('Not on this');
    await press(card, 'Vote against it: 0 did');
    await card.getByRole('button', { name: 'Vote against it: 1 did' }).waitFor();
    await press(card, 'Vote against it: 1 did');
    await card.getByRole('button', { name: 'Vote against it: 0 did' }).waitFor();
    expect((await world.api.getPost({ post_id: first.id })).post.votes).toMatchObject({ upvotes: 0, downvotes: 0 });

    const ofToken = page.getByRole('group', { name: 'Votes on BOAT' });
    await press(ofToken, /^Vote for it/);
    await ofToken.getByRole('button', { name: /^Vote for it/, pressed: true }).waitFor();
    const { votes: onToken } = await carol.api.getVotes({ target_type: 'token', target_id: token, limit: 1 });
    expect(onToken.user_vote).toBe('upvote');
    expect(complaints).toEqual([]);
  });

  it('behavior: comments open below a post; a deleted one with answers leaves its place', async () => {
    const [ida, jon] = [await somebody(), await somebody()];
    const { post } = await ida.api.createPost({ text: 'Speak below', taggedCoinId: token });
    const { page, complaints } = await jon.open(`/token/${token}?view=posts`);
    const card = postBy(page, 'Speak below');
    await press(card, '0 comments');
    await card.getByLabel('Write a comment').fill('I speak');
    await press(card, 'Comment');
    await card.getByRole('article').getByText('I speak').waitFor();
    await card.getByRole('button', { name: '1 comment', exact: true }).waitFor();
    const [comment] = (await world.api.getPost({ post_id: post.id, comments: 1 })).comments;
    await ida.api.createPost({ text: 'I answer', parent_id: comment?.id as string });

    await world.go(page, `/post/${post.id}`);
    expect(await page.locator('meta[property="og:image"]').getAttribute('content')).toMatch(/\/og\/paper-boat\.png$/);
    const own = page.getByRole('article', { name: /^Comment by/ });
    await press(own, /^Delete the post by/);
    await press(own, /Yes, do it$/);
    await page.getByText('This was deleted.').waitFor();
    await hasNoFault(page, 'a post with a deleted comment', [1280, 360]);
    await page.getByRole('link', { name: '1 reply' }).click();
    await page.getByRole('article').getByText('I answer').waitFor();
    expect(await page.getByText('I speak').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('behavior: a report reaches whoever runs the service; a post of one’s own is deleted', async () => {
    const [kim, lea] = [await somebody(), await somebody()];
    const { post } = await kim.api.createPost({ text: 'Buy my course' });
    const { page, complaints } = await lea.open('/feed');
    await press(postBy(page, 'Buy my course'), 'Report');
    const dialog = page.getByRole('dialog', { name: 'Report this post' });
    await dialog.getByLabel('It is a scam').check();
    await dialog.getByLabel('In your words, if you like').fill('It is not his.');
    await hasNoFault(page, 'reporting a post', [360]);
    const asked = page.waitForRequest('**/report-post');
    await press(dialog, 'Send report');
    expect(JSON.parse((await asked).postData() ?? '')).toEqual({
      post_id: post.id,
      reason: 'scam',
      note: 'It is not his.',
    });
    await dialog.getByText('Reported. Thank you.').waitFor();

    const { page: hers } = await kim.open(`/post/${post.id}`);
    await press(hers, /^Delete the post by/);
    await press(hers, /Yes, do it$/);
    await hers.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    await expect(world.api.getPost({ post_id: post.id })).rejects.toMatchObject({ code: 'POST_NOT_FOUND' });
    expect(complaints).toEqual([]);
  });

  it('default: the feed has the newest, the best, and those whom one follows', async () => {
    const [mia, ned, ola] = [await somebody(), await somebody(), await somebody()];
    await ned.api.createPost({ text: 'Ned says this' });
    await ola.api.createPost({ text: 'Ola says this' });
    await mia.api.followUser({ user_id: ned.id });
    const { page: plain } = await world.visit('/feed', { javaScriptEnabled: false });
    await postBy(plain, 'Ola says this').waitFor();
    await plain.getByRole('link', { name: 'Top' }).click();
    await postBy(plain, 'Ned says this').waitFor();
    const { page } = await mia.open('/feed?feed=following');
    await postBy(page, 'Ned says this').waitFor();
    expect(await page.getByText('Ola says this').count()).toBe(0);
    await hasNoFault(page, 'what one follows', [1280]);
    await world.go(page, '/feed?feed=top&window=7d');
    await postBy(page, 'Ola says this').waitFor();
    await hasNoFault(page, 'the feed');
    const { page: nobody } = await world.visit('/feed?feed=following');
    await nobody.getByText('Here is what the people say whom you follow.').waitFor();
  });
});

describe('posts that come while somebody reads', () => {
  it('wait until they are wanted; what one writes oneself is there at once', async () => {
    const [ann, bob] = [await somebody(), await somebody()];
    const { page, complaints } = await bob.open('/feed');
    const news = page.getByRole('button', { name: /^\d+ new$/ });
    let last = '';
    for (let at = 1; !(await news.isVisible()); at += 1) {
      last = `Just now ${at}`;
      await ann.api.createPost({ text: last });
      await news.waitFor({ timeout: 3_000 }).catch(() => undefined); // the page follows nothing yet
    }
    expect(await page.getByText(last, { exact: true }).count()).toBe(0);
    await hasNoFault(page, 'a feed with new posts', [360]);
    await news.click();
    await postBy(page, last).waitFor();
    await news.waitFor({ state: 'hidden' });

    await page.getByLabel('Write a post').fill('From me');
    await press(page, 'Post');
    await postBy(page, 'From me').waitFor();
    const { post } = await ann.api.createPost({ text: 'Later' });
    await page.getByRole('button', { name: '1 new', exact: true }).waitFor();
    await ann.api.deletePost({ post_id: post.id });
    await news.waitFor({ state: 'hidden' });
    expect(complaints).toEqual([]);
  });
});

describe('a hub', () => {
  it('behavior: its owner sets who may post, others are told why they may not, join, and post', async () => {
    const [boss, pia] = [await owner(), await somebody()];
    const { page: hers, complaints } = await boss.open(`/token/${token}?view=posts`);
    await press(hers, 'Manage');
    const dialog = hers.getByRole('dialog', { name: 'Manage the hub of BOAT' });
    await dialog.getByLabel('Rules').fill('Speak of boats.');
    await dialog.getByLabel('Holders of the token').check();
    await dialog.getByLabel('At least, in BOAT').fill('1000.5');
    await hasNoFault(hers, 'managing a hub', [1280, 360]);
    const asked = hers.waitForRequest('**/update-hub');
    await press(dialog, 'Save');
    expect(JSON.parse((await asked).postData() ?? '')).toEqual({
      token_id: (await world.api.getHub({ token_id: token })).hub.id,
      rules: 'Speak of boats.',
      invite_only: false,
      post_rule: 'holders',
      min_holding: '1000.5',
    });
    await dialog.getByText('Saved.').waitFor();
    const { page } = await pia.open(`/token/${token}?view=posts`);
    await page.getByText('Only those who hold at least 1,000.5 BOAT post here. Buy some first.').waitFor();
    expect(await page.getByLabel('Write about BOAT').count()).toBe(0);
    await dialog.getByLabel('Members', { exact: true }).check();
    await press(dialog, 'Save');
    await dialog.getByText('Saved.').waitFor();
    await page.reload();
    await page.getByText('Only members post here. Join the hub first.').waitFor();
    await hasNoFault(page, 'a hub where one may not post', [360]);
    await press(page, 'Join');
    await page.getByLabel('Write about BOAT').fill('Now I may');
    await press(page, 'Post');
    await postBy(page, 'Now I may').waitFor();
    await press(page, /^Leave the hub/);
    await press(page, /Yes, do it$/);
    await page.getByText('Only members post here. Join the hub first.').waitFor();
    await boss.api.updateHub({ token_id: token, post_rule: 'anyone' });
    expect(complaints).toEqual([]);
  });

  it('behavior: an invite lets somebody in who follows its link', async () => {
    const [boss, quin] = [await owner(), await somebody()];
    await boss.api.updateHub({ token_id: token, invite_only: true });
    const { page: hers } = await boss.open(`/token/${token}?view=posts`);
    await press(hers, 'Manage');
    await hers.getByLabel('How many may join with it?').fill('0');
    await press(hers, 'Make an invite');
    await hers.getByText('Write a number from 1 to 1,000.').waitFor();
    await hers.getByLabel('How many may join with it?').fill('1');
    await press(hers, 'Make an invite');
    const link = await hers.locator('.once code').innerText();
    const { page: without } = await quin.open(`/token/${token}?view=posts`);
    await without.getByText('Joining takes an invite.').waitFor();
    expect(await without.getByRole('button', { name: 'Join', exact: true }).count()).toBe(0);
    const { page, complaints } = await quin.open(link.slice(world.app.length));
    await page.getByText('You were invited to this hub.').waitFor();
    await press(page, 'Accept the invite');
    await page.getByText('Member', { exact: true }).waitFor();
    await boss.api.updateHub({ token_id: token, invite_only: false });
    expect(complaints).toEqual([]);
  });

  it('behavior: the owner makes moderators; they pin, delete and ban, and lift bans', async () => {
    const [boss, ruth, sam] = [await owner(), await somebody(), await somebody()];
    for (const [who, username] of [
      [ruth, 'ruth'],
      [sam, 'sam_spams'],
    ] as const) {
      await who.api.updateUser({ username });
      await who.api.joinHub({ token_id: token });
    }
    await sam.api.createPost({ text: 'Spam spam', taggedCoinId: token });
    await ruth.api.createPost({ text: 'Read this first', taggedCoinId: token });
    await sam.api.createPost({ text: 'More spam', taggedCoinId: token });

    const { page: hers } = await boss.open(`/token/${token}?view=posts`);
    await hers.getByRole('button', { name: /members?$/ }).click();
    const members = hers.getByRole('dialog', { name: 'Members of BOAT’s hub' });
    await members.getByRole('link', { name: '@ruth' }).waitFor();
    await hasNoFault(hers, 'members of a hub', [360]);
    await press(members.getByRole('listitem').filter({ hasText: '@ruth' }), 'Make moderator');
    await members.getByText('Moderator', { exact: true }).waitFor();

    const { page, complaints } = await ruth.open(`/token/${token}?view=posts`);
    await press(postBy(page, 'Read this first'), 'Put on top');
    const first = page.getByRole('article').first();
    await first.getByText('On top', { exact: true }).waitFor();
    expect(await first.innerText()).toContain('Read this first');
    expect(await page.getByText('Read this first').count()).toBe(1);
    await press(postBy(page, 'More spam'), /^Delete the post by/);
    await press(page, /Yes, do it$/);
    await page.getByText('More spam').waitFor({ state: 'detached' });
    await press(postBy(page, 'Spam spam'), 'Ban @sam_spams');
    const ban = page.getByRole('dialog', { name: 'Ban @sam_spams' });
    await ban.getByLabel('A week').check();
    await ban.getByLabel('Delete what they posted in this hub').check();
    await hasNoFault(page, 'banning somebody', [360]);
    await press(ban, 'Ban');
    await ban.getByText('Banned.').waitFor();
    await ban.getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('Spam spam').waitFor({ state: 'detached' });
    const { page: his } = await sam.open(`/token/${token}?view=posts`);
    await his.getByText(/^You are banned from this hub until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/).waitFor();

    await press(page, 'Manage');
    await page.getByLabel('Username').fill('@sam_spams');
    await press(page, 'Look them up');
    await press(page.getByRole('dialog', { name: 'Ban @sam_spams' }), 'Lift the ban');
    await page.getByText('The ban is lifted.').waitFor();
    expect((await sam.api.getHub({ token_id: token })).hub.my).toMatchObject({ may_post: true });
    await hasNoFault(his, 'a hub with a post on top', [1280, 360]);
    expect(complaints).toEqual([]);
  });
});

describe('names', () => {
  it('default: the leaderboard and the page of a token lead to who somebody is', async () => {
    const boss = await owner();
    await boss.api.updateUser({ username: 'boat_maker', display_name: 'The Boat Maker' });
    const { page: board } = await world.visit('/leaderboard', { javaScriptEnabled: false });
    const line = board.locator('details').filter({ hasText: '@boat_maker' });
    await line.locator('summary').click();
    await line.getByRole('link', { name: 'Profile' }).click();
    expect(await board.getByRole('heading', { level: 1 }).innerText()).toBe('The Boat Maker');
    const { page } = await world.visit(`/token/${token}`);
    await page.locator('.thead').getByRole('link', { name: 'The Boat Maker' }).click();
    await page.waitForURL('**/user/boat_maker');
    await page.goBack();
    await page.locator('.holders').getByRole('link', { name: 'Creator' }).click();
    await page.waitForURL('**/user/boat_maker');
  });
});

describe('what strangers say', () => {
  it('is text wherever it stands: nothing of it runs, leads away by itself, or breaks the page', async () => {
    const [evil, reader] = [await somebody(), await somebody()];
    const word = `${'ﷺ'.repeat(20)}${'w'.repeat(900)}`;
    const turned = 'safe\u202eevil\u2066 hidden\u200bword עברית';
    const said = planted.map(({ description }) => description.slice(0, 250).trim());
    await evil.api.updateUser({
      display_name: '<img src=x onerror=window.hit=1>',
      bio: `</script><script>window.hit=1</script> ${'b'.repeat(200)}`,
    });
    const { post } = await evil.api.createPost({
      text: `${word} javascript:window.hit=1 ${said[0]}`,
      taggedCoinId: token,
    });
    await evil.api.createPost({ text: turned, taggedCoinId: token });
    for (const text of said.slice(0, 18)) await evil.api.createPost({ text, parent_id: post.id });
    for (const path of [`/user/${evil.id}`, `/token/${token}?view=posts`, `/post/${post.id}`, '/feed']) {
      const { page, complaints } = await reader.open(path);
      const dialogs: string[] = [];
      page.on('dialog', (dialog) => {
        dialogs.push(dialog.message());
        void dialog.dismiss();
      });
      await page.getByText('javascript:window.hit=1').first().waitFor();
      expect([path, await page.evaluate('window.hit'), dialogs]).toEqual([path, undefined, []]);
      expect(await page.locator('#app script, #app style, #app iframe, #app [onerror], #app [onload]').count()).toBe(0);
      const places = await page
        .locator('.post-text a')
        .evaluateAll((links) => links.map((one) => (one as unknown as { protocol: string }).protocol));
      for (const place of places) expect(place).toMatch(/^https?:$/);
      expect([path, /[\u202a-\u202e\u2066-\u2069\u200b]/.test(await page.content())]).toEqual([path, false]);
      await hasNoFault(page, `what strangers say, ${path}`, [1280, 360]);
      expect(complaints).toEqual([]);
    }
  });
});

describe('notifications', () => {
  it('behavior: a bell counts what concerns somebody, who reads it, marks it, and says what they want', async () => {
    const [tess, uma] = [await somebody(), await somebody()];
    const { post } = await tess.api.createPost({ text: 'Answer me' });
    await uma.api.updateUser({ username: 'uma_answers' });
    await uma.api.createPost({ text: 'I do', parent_id: post.id });
    await uma.api.followUser({ user_id: tess.id });
    await expect.poll(async () => (await tess.api.getNotifications({})).unread_count).toBe(2);
    const { page, complaints } = await tess.open('/feed');
    await page.getByRole('link', { name: 'Notifications, 2 unread' }).waitFor();
    // By the stream: it would be asked a minute later.
    await (await somebody()).api.followUser({ user_id: tess.id });
    await page.getByRole('link', { name: 'Notifications, 3 unread' }).click();
    await page.waitForURL('**/notifications');
    const list = page.getByRole('region', { name: 'Notifications' });
    const comment = list.getByRole('listitem').filter({ hasText: 'See the post' });
    await comment.getByRole('link', { name: '@uma_answers' }).waitFor();
    await hasNoFault(page, 'notifications');
    await press(list, 'Mark all as read');
    await list.getByText('All read').waitFor();
    await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor();
    expect(await list.getByText('New', { exact: true }).count()).toBe(0);

    const follows = page.getByRole('switch', { name: 'New followers' });
    await follows.click();
    await expect.poll(() => follows.getAttribute('aria-checked')).toBe('false');
    expect((await tess.api.notificationSettings({})).settings).toMatchObject({ follow: false, comment: true });
    await comment.getByRole('link', { name: 'See the post' }).click();
    await page.getByRole('article').getByText('I do').waitFor();
    expect(complaints).toEqual([]);

    const { page: nobody } = await world.visit('/notifications');
    await nobody.getByText('Sign in to see what concerns you.').waitFor();
    await hasNoFault(nobody, 'notifications of nobody', [360]);
  });

  it('behavior: the worker of a browser shows what is pushed', async () => {
    const vic = await somebody();
    const { page, complaints } = await vic.open('/notifications');
    await page.getByRole('switch', { name: 'Tell this browser' }).waitFor();
    // A browser without a display has no push service: the worker is given what one would give it.
    const [worker = await page.context().waitForEvent('serviceworker')] = page.context().serviceWorkers();
    // Nor does it show anything.
    await worker.evaluate('self.registration.showNotification = async (...what) => void (self.shown = what)');
    const devtools = await page.context().newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        if (registrations[0] !== undefined) resolve(registrations[0].registrationId);
      });
    });
    await devtools.send('ServiceWorker.enable');
    const data = JSON.stringify({ id: 'one', text: 'Somebody follows you.', url: `${world.app}/notifications` });
    const told = { origin: world.app, registrationId: await registered, data };
    await devtools.send('ServiceWorker.deliverPushMessage', told);
    await expect
      .poll(() => worker.evaluate('self.shown'))
      .toEqual(['Somebody follows you.', { tag: 'one', data: `${world.app}/notifications` }]);
    expect(complaints).toEqual([]);
  });
});

import type { Hub, UpdateHubInput } from '@mintage/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { amountProblem, typedAmount } from '../../lib/amounts.ts';
import { apiOf } from '../../lib/api.ts';
import type { Person } from '../../lib/people.ts';
import { readPeopleAgain, user, useViewer } from '../../lib/peopleQueries.ts';
import type { Picture } from '../../lib/readPicture.ts';
import { useAct } from '../../lib/useAct.ts';
import * as t from '../../messages/en/people.ts';
import { Copy } from '../../ui/Address.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field, TextField } from '../../ui/Field.tsx';
import { PictureField } from '../../ui/PictureField.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { BanDialog } from './BanDialog.tsx';
import { Choice } from './Choice.tsx';

/** For whoever commands others in a hub: invites and bans; and for its owner what it says and who may post. */
export const ManageDialog = ({ hub, onClose }: { hub: Hub; onClose(): void }) => {
  const [banning, setBanning] = useState<Person | null>(null);
  if (banning !== null) return <BanDialog user={banning} tokenId={hub.id} onClose={() => setBanning(null)} />;
  return (
    <Dialog title={t.hub.manageTitle(hub.token.symbol)} isOpen onClose={onClose}>
      <Invites hub={hub} />
      <Somebody onFound={setBanning} />
      {hub.my?.role === 'owner' && <Settings hub={hub} />}
    </Dialog>
  );
};

const Invites = ({ hub }: { hub: Hub }) => {
  const client = useQueryClient();
  const act = useAct();
  const [problem, setProblem] = useState<string>();
  const [url, setUrl] = useState<string | null>(null);
  const make = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const uses = Number(new FormData(event.currentTarget).get('uses'));
    const isNumber = Number.isInteger(uses) && uses >= 1 && uses <= 1_000;
    setProblem(isNumber ? undefined : t.hub.badUses);
    if (!isNumber) return;
    await act.run(t.loading, async () => {
      const answer = await apiOf(client).createHubInvite({ token_id: hub.id, uses });
      setUrl(answer.url);
    });
  };
  return (
    <form className="hub-part" noValidate onSubmit={(event) => void make(event)}>
      <h3>{t.hub.invites}</h3>
      <Field label={t.hub.uses} name="uses" inputMode="numeric" defaultValue="1" autoComplete="off" problem={problem} />
      {url !== null && (
        <div role="status">
          <p className="hint">{t.hub.inviteOnce}</p>
          <div className="once">
            <code className="mono grow">{url}</code>
            <Copy text={url} label={t.hub.copyInvite} />
          </div>
        </div>
      )}
      {act.error !== null && <Problem error={act.error} />}
      <Button type="submit" disabled={act.doing !== null}>
        {t.hub.makeInvite}
      </Button>
    </form>
  );
};

/** Those who never joined can be banned too, and those who are banned are in no list. */
const Somebody = ({ onFound }: { onFound(found: Person): void }) => {
  const client = useQueryClient();
  const viewer = useViewer();
  const act = useAct();
  const [problem, setProblem] = useState<string>();
  const look = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name')).trim().replace(/^@/, '');
    await act.run(t.loading, async () => {
      const found = name === '' ? null : await client.fetchQuery(user(name, viewer));
      if (found === null) setProblem(t.hub.noUser);
      else onFound(found);
    });
  };
  return (
    <form className="hub-part" noValidate onSubmit={(event) => void look(event)}>
      <h3>{t.hub.somebody}</h3>
      <Field
        label={t.hub.username}
        name="name"
        hint={t.hub.usernameHint}
        autoComplete="off"
        autoCapitalize="none"
        maxLength={64}
        problem={problem}
      />
      {act.error !== null && <Problem error={act.error} />}
      <Button type="submit" disabled={act.doing !== null}>
        {t.hub.find}
      </Button>
    </form>
  );
};

/** What stays as it is is not sent: a text of the token would become the hub's own. */
const changed = (name: 'description' | 'rules', form: FormData, before: string): Partial<UpdateHubInput> => {
  const text = String(form.get(name)).trim();
  return text === before ? {} : { [name]: text };
};

type PostRule = Hub['post_rule'];
const rules = Object.keys(t.hub.postRules) as PostRule[];

const Settings = ({ hub }: { hub: Hub }) => {
  const client = useQueryClient();
  const act = useAct();
  const [rule, setRule] = useState<string>(hub.post_rule);
  const [banner, setBanner] = useState<Picture | null>(null);
  const [isBannerGone, setBannerGone] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [isSaved, setSaved] = useState(false);
  const save = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const typed = String(form.get('least') ?? '').trim();
    const least = typed === '' ? '' : typedAmount(typed);
    setProblem(least === null ? (amountProblem(typed) ?? t.hub.badAmount) : undefined);
    if (least === null) return;
    const input: UpdateHubInput = {
      token_id: hub.id,
      ...changed('description', form, hub.description),
      ...changed('rules', form, hub.rules ?? ''),
      invite_only: form.get('invited') === 'on',
      post_rule: rule as PostRule,
      ...(rule === 'holders' && { min_holding: least }),
      ...(banner !== null ? { banner: banner.uri } : isBannerGone && { banner: '' }),
    };
    const isDone = await act.run(t.loading, async () => {
      await apiOf(client).updateHub(input);
      await readPeopleAgain(client);
    });
    setSaved(isDone);
  };
  return (
    <form className="hub-part" noValidate onSubmit={(event) => void save(event)} onChange={() => setSaved(false)}>
      <TextField
        label={t.hub.description}
        name="description"
        hint={t.hub.descriptionHint}
        defaultValue={hub.description}
        maxLength={1_000}
      />
      <TextField
        label={t.hub.rules}
        name="rules"
        hint={t.hub.rulesHint}
        defaultValue={hub.rules ?? ''}
        maxLength={2_000}
      />
      <label className="check">
        <input type="checkbox" name="invited" defaultChecked={hub.invite_only} />
        {t.hub.inviteOnlyLabel}
      </label>
      <Choice
        legend={t.hub.postRule}
        name="rule"
        options={rules.map((one) => [one, t.hub.postRules[one]])}
        chosen={hub.post_rule}
        onChoose={setRule}
      />
      {rule === 'holders' && (
        <Field
          label={t.hub.minHolding(hub.token.symbol)}
          name="least"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={hub.min_holding ?? ''}
          hint={t.hub.minHoldingHint}
          problem={problem}
        />
      )}
      <PictureField
        label={t.hub.banner}
        picture={banner}
        isBanner
        isDisabled={act.doing !== null}
        onChange={setBanner}
      />
      {hub.banner_url !== null && banner === null && (
        <label className="check">
          <input
            type="checkbox"
            checked={isBannerGone}
            onChange={({ currentTarget }) => setBannerGone(currentTarget.checked)}
          />
          {t.hub.removeBanner}
        </label>
      )}
      {act.error !== null && <Problem error={act.error} />}
      <p className="hint" role="status">
        {isSaved && t.hub.saved}
      </p>
      <Button kind="ink" size="l" type="submit" disabled={act.doing !== null}>
        {t.hub.save}
      </Button>
    </form>
  );
};

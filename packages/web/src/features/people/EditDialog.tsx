import type { UpdateUserInput, UserProfile } from '@mintage/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { apiOf } from '../../lib/api.ts';
import { linkNames } from '../../lib/links.ts';
import { userPath } from '../../lib/people.ts';
import { readPeopleAgain, usernameCheck, user as userOf, useViewer } from '../../lib/peopleQueries.ts';
import type { Picture } from '../../lib/readPicture.ts';
import { useAct } from '../../lib/useAct.ts';
import { useLater } from '../../lib/useLater.ts';
import * as t from '../../messages/en/people.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field, TextField } from '../../ui/Field.tsx';
import { PictureField } from '../../ui/PictureField.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { type Edited, inputOf, mostBio, problemsOf } from './editing.ts';

/** One's own profile, to be changed: only what changed is sent. */
export const EditDialog = ({ user, onClose }: { user: UserProfile; onClose(): void }) => {
  const client = useQueryClient();
  const [, go] = useLocation();
  const viewer = useViewer();
  const act = useAct();
  const [edited, setEdited] = useState<Edited>({
    username: user.username ?? '',
    displayName: user.display_name ?? '',
    bio: user.bio ?? '',
    links: user.links,
    showWallet: user.settings?.show_wallet ?? true,
    showHoldings: user.settings?.show_holdings ?? false,
  });
  const [picture, setPicture] = useState<Picture | null>(null);
  const [banner, setBanner] = useState<Picture | null>(null);
  const [gone, setGone] = useState({ picture: false, banner: false });
  const [isTried, setTried] = useState(false);
  const change = (part: Partial<Edited>): void => setEdited({ ...edited, ...part });
  const problems = problemsOf(edited);
  const name = useUsername(edited.username, user.username);
  const isBusy = act.doing !== null;
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (isBusy || name.problem !== undefined || Object.keys(problems).length > 0) return;
    const input: UpdateUserInput = {
      ...inputOf(edited, user),
      ...(picture !== null ? { profile_picture: picture.uri } : gone.picture && { profile_picture: '' }),
      ...(banner !== null ? { banner: banner.uri } : gone.banner && { banner: '' }),
    };
    if (Object.keys(input).length === 0) return onClose();
    await act.run(t.profile.saving, async () => {
      const { user: saved } = await apiOf(client).updateUser(input);
      client.setQueryData(userOf(saved.username ?? saved.id, viewer).queryKey, saved);
      await readPeopleAgain(client);
      onClose();
      // The page of the name before is nobody's now.
      go(userPath(saved), { replace: true });
    });
  };
  const isPictureKept = user.profile_picture !== null && picture === null;
  const isBannerKept = user.banner_url !== null && banner === null;
  return (
    <Dialog title={t.profile.edit} isOpen onClose={onClose}>
      <form className="stack" noValidate onSubmit={(event) => void save(event)}>
        <Field
          label={t.profile.displayName}
          value={edited.displayName}
          hint={t.profile.displayNameHint}
          maxLength={80}
          autoComplete="off"
          problem={isTried ? problems.displayName : undefined}
          onChange={({ currentTarget }) => change({ displayName: currentTarget.value })}
        />
        <Field
          label={t.profile.username}
          value={edited.username}
          hint={name.hint}
          maxLength={64}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          problem={name.problem}
          onChange={({ currentTarget }) => change({ username: currentTarget.value.trim().toLowerCase() })}
        />
        <TextField
          label={t.profile.bio}
          dir="auto"
          value={edited.bio}
          hint={t.profile.length([...edited.bio.trim()].length, mostBio)}
          problem={problems.bio}
          onChange={({ currentTarget }) => change({ bio: currentTarget.value })}
        />
        <PictureField label={t.profile.picture} picture={picture} isDisabled={isBusy} onChange={setPicture} />
        {isPictureKept && (
          <Check
            label={t.profile.removePicture}
            isOn={gone.picture}
            onChange={(isOn) => setGone({ ...gone, picture: isOn })}
          />
        )}
        <PictureField label={t.profile.banner} picture={banner} isBanner isDisabled={isBusy} onChange={setBanner} />
        {isBannerKept && (
          <Check
            label={t.profile.removeBanner}
            isOn={gone.banner}
            onChange={(isOn) => setGone({ ...gone, banner: isOn })}
          />
        )}
        <fieldset className="stack">
          <legend className="lab">{t.profile.linksTitle}</legend>
          {linkNames.map((one) => (
            <Field
              key={one}
              label={t.linkNames[one]}
              value={edited.links[one] ?? ''}
              inputMode="url"
              maxLength={256}
              autoComplete="off"
              problem={isTried && problems.link === one ? t.profile.badLink(t.linkNames[one]) : undefined}
              onChange={({ currentTarget }) => change({ links: { ...edited.links, [one]: currentTarget.value } })}
            />
          ))}
        </fieldset>
        <fieldset className="options">
          <legend className="lab">{t.profile.others}</legend>
          <Check
            label={t.profile.showWallet}
            isOn={edited.showWallet}
            onChange={(showWallet) => change({ showWallet })}
          />
          <Check
            label={t.profile.showHoldings}
            isOn={edited.showHoldings}
            onChange={(showHoldings) => change({ showHoldings })}
          />
        </fieldset>
        {act.error !== null && <Problem error={act.error} />}
        <Button kind="ink" size="l" type="submit" disabled={isBusy}>
          {act.doing ?? t.profile.save}
        </Button>
      </form>
    </Dialog>
  );
};

const Check = ({ label, isOn, onChange }: { label: string; isOn: boolean; onChange(isOn: boolean): void }) => (
  <label className="check">
    <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
    {label}
  </label>
);

/** Whether a name that somebody types can be theirs. */
const useUsername = (typed: string, own: string | null): { hint: string; problem?: string } => {
  const isOwn = typed === (own ?? '');
  const settled = useLater(typed);
  const { data } = useQuery(usernameCheck(isOwn ? '' : settled));
  const isAnswered = !isOwn && settled === typed && data !== undefined;
  if (!isAnswered) return { hint: t.profile.usernameHint };
  if (data.available) return { hint: t.profile.usernameFree };
  return { hint: t.profile.usernameHint, problem: t.profile.usernameTaken[data.reason ?? 'taken'] };
};

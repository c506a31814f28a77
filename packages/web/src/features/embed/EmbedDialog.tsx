import { useId, useState } from 'react';
import type { EmbedKind } from '../../../build/paths.ts';
import { useDeployment } from '../../lib/deployment.ts';
import { useWalletOn } from '../../lib/wallet.ts';
import * as t from '../../messages/en/embed.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import { type EmbedChoice, frameCode, frameSize, frameUrl, scriptCode } from './embedCode.ts';
import './embedDialog.css';

const kinds = ['trade', 'price'] as const satisfies readonly EmbedKind[];
const themes = ['auto', 'light', 'dark'] as const;

export interface EmbedDialogProps {
  token: { name: string; slug: string; origin_chain: string | null };
  isOpen: boolean;
  onClose(): void;
}

/** How this token stands on a page of one's own: what it looks like, and what to copy. The connected wallet earns by it as referral. */
export const EmbedDialog = ({ token, isOpen, onClose }: EmbedDialogProps) => {
  const { appUrl, base } = useDeployment();
  const wallet = useWalletOn(token.origin_chain);
  const [kind, setKind] = useState<EmbedKind>('trade');
  const [theme, setTheme] = useState<EmbedChoice['theme']>('auto');
  const words = t.embed;
  const choice: EmbedChoice = { token: token.slug, kind, theme, referral: wallet?.address ?? null };
  const title = t.framed.frameTitle(kind, token.name);
  const { width, height } = frameSize[kind];
  return (
    <Dialog title={words.title} isOpen={isOpen} onClose={onClose}>
      <Choice<EmbedKind>
        label={words.what}
        options={kinds}
        name={(one) => words.kinds[one]}
        value={kind}
        onChange={setKind}
      />
      <Choice<EmbedChoice['theme']>
        label={words.theme}
        options={themes}
        name={(one) => words.themes[one]}
        value={theme}
        onChange={setTheme}
      />
      <iframe
        key={`${kind}${theme}`}
        className="embed-preview"
        src={frameUrl(base, choice)}
        title={title}
        width={width}
        height={height}
        loading="lazy"
      />
      <Code label={words.script} text={scriptCode(appUrl, choice)} />
      <Code label={words.frame} text={frameCode(appUrl, choice, title)} />
      {choice.referral !== null && <p className="hint">{words.earns}</p>}
    </Dialog>
  );
};

const Choice = <Value extends string>({
  label,
  options,
  name,
  value,
  onChange,
}: {
  label: string;
  options: readonly Value[];
  name(value: Value): string;
  value: Value;
  onChange(value: Value): void;
}) => {
  const id = useId();
  return (
    <fieldset className="embed-choice">
      <legend className="lab">{label}</legend>
      <div className="pick">
        {options.map((one) => (
          <label key={one}>
            <input type="radio" name={id} value={one} checked={value === one} onChange={() => onChange(one)} />
            {name(one)}
          </label>
        ))}
      </div>
    </fieldset>
  );
};

const Code = ({ label, text }: { label: string; text: string }) => {
  const id = useId();
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <div className="field">
      <div className="row between">
        <label htmlFor={id}>{label}</label>
        <Button size="s" onClick={copy}>
          <Icon name={isCopied ? 'check' : 'copy'} />
          <span role="status">{isCopied ? t.copied : t.embed.copy}</span>
        </Button>
      </div>
      <textarea
        id={id}
        className="input mono embed-code"
        readOnly
        value={text}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
    </div>
  );
};

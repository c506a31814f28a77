import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from 'react';

interface Named {
  label: string;
  /** What it is for, below. */
  hint?: ReactNode;
  /** What is wrong with it. */
  problem?: string | undefined;
}

/** A labelled input with its hint; what is wrong is told to readers of screens too. */
export const Field = ({ label, hint, problem, ...rest }: Named & InputHTMLAttributes<HTMLInputElement>) => {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} className="input" aria-invalid={problem !== undefined} aria-describedby={`${id}-hint`} {...rest} />
      <Hint id={id} hint={hint} problem={problem} />
    </div>
  );
};

export const TextField = ({ label, hint, problem, ...rest }: Named & TextareaHTMLAttributes<HTMLTextAreaElement>) => {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className="input"
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-hint`}
        {...rest}
      />
      <Hint id={id} hint={hint} problem={problem} />
    </div>
  );
};

const Hint = ({ id, hint, problem }: { id: string; hint: ReactNode; problem: string | undefined }) => (
  <div id={`${id}-hint`} className={problem === undefined ? 'hint' : 'hint down'}>
    {problem ?? hint}
  </div>
);

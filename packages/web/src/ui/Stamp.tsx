import * as t from '../messages/en/common.ts';

/** A hallmark: filled where a fact is proved, empty and dashed where it is not known. */
export const Stamp = ({ isKnown = true }: { isKnown?: boolean }) => (
  <svg
    className="stamp"
    data-unknown={isKnown ? undefined : ''}
    viewBox="0 0 14 14"
    role="img"
    aria-label={isKnown ? t.proved : t.unknown}
  >
    {isKnown ? (
      <>
        <path d="M7 .7 13.3 7 7 13.3.7 7Z" fill="currentColor" />
        <path d="m4.6 7.1 1.7 1.7 3.2-3.5" stroke="var(--surface)" strokeWidth="1.4" fill="none" />
      </>
    ) : (
      <path
        d="M7 1.2 12.8 7 7 12.8 1.2 7Z"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.2"
        strokeDasharray="2 1.6"
      />
    )}
  </svg>
);

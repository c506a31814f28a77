const around = 2 * Math.PI * 7;

/** How much of a time is left, 0 to 1; decoration beside the seconds. */
export const Ring = ({ left }: { left: number }) => (
  <svg className="ring" viewBox="0 0 18 18" aria-hidden="true">
    <circle cx="9" cy="9" r="7" />
    <circle
      cx="9"
      cy="9"
      r="7"
      transform="rotate(-90 9 9)"
      strokeDasharray={around}
      strokeDashoffset={around * (1 - left)}
    />
  </svg>
);

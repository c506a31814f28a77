/** A dollar as a coin; decoration beside its symbol. */
export const DollarMark = () => (
  <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
    <circle cx="11" cy="11" r="11" fill="#2d6cc0" />
    <path
      d="M11 4.5v13M14 8c-.4-1.4-1.6-2-3-2-1.7 0-3 .9-3 2.4C8 11.8 14 10.2 14 13.6c0 1.5-1.3 2.4-3 2.4-1.5 0-2.7-.7-3.1-2.1"
      stroke="#fff"
      strokeWidth="1.5"
      fill="none"
    />
  </svg>
);

/** How much of a whole is there, percent. `isReeded`: the edge of a coin, of the graduation. */
export const Meter = ({ percent, label, isReeded = false }: { percent: number; label: string; isReeded?: boolean }) => (
  <div
    className="meter"
    data-reed={isReeded ? '' : undefined}
    role="meter"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={Math.floor(percent)}
  >
    <i style={{ width: `${Math.min(100, Math.max(0, percent))}%` }} />
  </div>
);

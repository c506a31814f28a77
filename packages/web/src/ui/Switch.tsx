import { off } from './Button.tsx';

/** On or off. */
export const Switch = ({
  label,
  isOn,
  onChange,
  isDisabled = false,
}: {
  label: string;
  isOn: boolean;
  onChange(isOn: boolean): void;
  isDisabled?: boolean;
}) => (
  <button
    type="button"
    className="switch"
    role="switch"
    aria-checked={isOn}
    aria-label={label}
    onClick={() => onChange(!isOn)}
    {...(isDisabled && off)}
  />
);

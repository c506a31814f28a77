/** One of a few, each in a line. The first is chosen until somebody chooses another. */
export const Choice = ({
  legend,
  name,
  options,
  chosen = options[0]?.[0],
  onChoose,
}: {
  legend: string;
  name: string;
  options: readonly (readonly [value: string, text: string])[];
  chosen?: string | undefined;
  onChoose?(value: string): void;
}) => (
  <fieldset className="options">
    <legend className="lab">{legend}</legend>
    {options.map(([value, text]) => (
      <label key={value}>
        <input
          type="radio"
          name={name}
          value={value}
          defaultChecked={value === chosen}
          onChange={() => onChoose?.(value)}
        />
        {text}
      </label>
    ))}
  </fieldset>
);

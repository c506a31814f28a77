/** What a list has under a name that came from outside: `constructor` is in no list, though every object has one. */
export const own = <Value>(list: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(list, name) ? list[name] : undefined;

import { invalid } from '@mintage/protocol';

/**
 * A time that is to come.
 *
 * @param field - Path of the input field, for the refusal.
 * @throws INVALID_PARAMETERS
 */
export const laterTime = (text: string, nowMs: number, field: string): Date => {
  const time = new Date(text);
  if (!(time.getTime() > nowMs)) throw invalid(field, 'must be a time in the future');
  return time;
};

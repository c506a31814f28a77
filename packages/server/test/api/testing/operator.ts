import type { SignedIn, TestApi } from './testApi.ts';

/** Signs in somebody whom `OPERATORS` names from then on. */
export const signInOperator = async (api: TestApi): Promise<SignedIn> => {
  const user = await api.signIn();
  setOperator(api, user, true);
  return user;
};

/** As if the service had been started with another `OPERATORS`. */
export const setOperator = ({ context }: TestApi, { userId }: Pick<SignedIn, 'userId'>, is: boolean): void => {
  const operators = context.config.operators as Set<string>;
  if (is) operators.add(userId);
  else operators.delete(userId);
  context.auth.forgetUser(userId);
};

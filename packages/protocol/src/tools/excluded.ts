import type { Operation } from '../operations/operation.ts';
import type { OperationName } from '../operations/operations.ts';

const session = 'signs a person in or out; an assistant has the credential that it was given';
const ways = 'by what an account is signed in to is decided by its owner, who has the passkey or the wallet at hand';
const person = 'what applications may do is decided by a person, not by one of them';
const secret = 'answers with a secret, which does not belong into the memory of an assistant';
const hubPeople = 'who leads, joins or is kept out of a hub is decided by a person';
const operators =
  'what is reported is written by strangers, some of whom would steer whoever decides: a person decides by hand';
const files = 'takes a whole file, which would fill the memory of an assistant; create_post takes media by address too';
const byItself = 'each of its types is a tool by itself';
const byHand = 'who is near to whom is looked after by a person, by hand';

/** Operations that are no tools, each with its reason. */
const excluded: Partial<Record<OperationName, string>> = {
  authChallenge: session,
  authLogin: session,
  passkeyRegisterOptions: session,
  passkeyRegister: session,
  passkeyLoginOptions: session,
  passkeyLogin: session,
  authRefresh: session,
  authLogout: session,
  listSessions: session,
  endSession: session,
  endOtherSessions: session,
  listPasskeys: ways,
  removePasskey: ways,
  linkWalletChallenge: ways,
  linkWallet: ways,
  unlinkWallet: ways,
  listApiKeys: person,
  revokeApiKey: person,
  listGrants: person,
  revokeGrant: person,
  resumeExecution: 'takes a sign-in of the user: who stopped an assistant does not want it to go on by itself',
  jwks: 'keys for libraries that check tokens',
  info: byItself,
  platformAction: byItself,
  unfollowUser: byHand,
  getFollowers: byHand,
  getFollowing: byHand,
  blockUser: byHand,
  unblockUser: byHand,
  getBlocked: byHand,
  getUserTokens: 'get_tokens and get_user_portfolio list tokens',
  ws: 'a stream',
  createWebhook: secret,
  rotateWebhookSecret: secret,
  getHubs: 'lists of hubs are for people who browse; an assistant asks for the hub of a token',
  getHubMembers: 'lists of people are for people who browse',
  updateHub: hubPeople,
  setHubRole: hubPeople,
  banFromHub: hubPeople,
  unbanFromHub: hubPeople,
  pinPost: 'what a hub shows first is decided by a person',
  uploadMedia: files,
  reportPost: 'what somebody else has to look at is reported by a person',
  markNotificationsRead: 'what a person has read only the person knows',
  notificationSettings: 'what somebody is told is decided by that person',
  subscribePush: 'a browser subscribes by itself',
  unsubscribePush: 'a browser subscribes by itself',
  getReports: operators,
  resolveReports: operators,
  hidePost: operators,
  suspendUser: operators,
  freezeAccount: operators,
  takeDownToken: operators,
  getModerationLog: operators,
  health: 'for the probes of operators',
  ready: 'for the probes of operators',
  openapi: 'the interface for programs that do not speak this protocol',
};

/** Why an operation is no tool; null for one that is. */
export const reasonToExclude = (operation: Operation): string | null => {
  if (operation.produces !== undefined) return 'answers with a file or a stream';
  if (operation.secretAnswer) return secret;
  return excluded[operation.name as OperationName] ?? null;
};

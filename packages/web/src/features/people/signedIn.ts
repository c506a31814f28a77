import { askSignIn } from '../../lib/askSignIn.ts';
import { signedInUser } from '../../lib/session.ts';

/** Whether there is somebody to speak for; who is not signed in yet is asked to. */
export const signedIn = async (): Promise<boolean> => signedInUser() !== null || askSignIn();

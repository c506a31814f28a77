/** Whether the build has the demo wallet in it. */
declare const HAS_DEMO_WALLET: boolean;

/** Whether the build has the demo wallet in it. */
declare const HAS_DEMO_WALLET: boolean;

declare module '*.css?inline' {
  const text: string;
  export default text;
}

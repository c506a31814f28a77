/** What is read beside the profile; options win over it. */
export const variables = {
  MINTAGE_URL: 'address of the service',
  MINTAGE_API_KEY: 'credential, in the place of the profile’s',
  MINTAGE_PRIVATE_KEY: 'key of your own wallet, in the place of the profile’s',
  MINTAGE_SOLANA_KEYPAIR: 'file with the key of your own wallet on Solana, as solana-keygen writes it',
  MINTAGE_CHAIN: 'slug of the chain that is meant when none is named',
  MINTAGE_PROFILE: 'profile that is meant',
  MINTAGE_PASSWORD: 'password of the file of secrets; set, no keychain is used',
  NO_COLOR: 'set, nothing is coloured',
} as const;

export const PROTECTIONS_PATH = '/settings/protections'
export const VERIFICATION_PATH = '/settings/identity-verification'
export const REPORT_PATH = '/settings/identity-verification/report'
export const IDENTITY_KEYS_PATH = '/settings/identity-keys'

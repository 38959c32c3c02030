export const SETTINGS = '/settings/audit'

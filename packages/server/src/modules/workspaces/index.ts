/** What the rest of the server may ask of workspaces. */
export { createDemoWorkspace, findDemoKey } from './create-demo.ts'
export { openAccountMails, type AccountMails } from './accounts/account-mails.ts'
export { endAccounts } from './accounts/delete-account.ts'
export { openPasswords, type Passwords } from './accounts/passwords.ts'
export { applySettings, settingsOf } from './code-settings.ts'
export { getSettings, lockSettings } from './queries.ts'
export { saveSettings } from './settings.ts'

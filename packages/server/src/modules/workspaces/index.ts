/** What the rest of the server may ask of workspaces. */
export { createDemoWorkspace, findDemoKey } from './create-demo.ts'
export { openPasswords, type Passwords } from './passwords.ts'

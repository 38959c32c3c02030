/** What the rest of the server may ask of workspaces. */
export { createDemoWorkspace, findDemoKey } from './create-demo.ts'
export { openPasswords } from './passwords.ts'

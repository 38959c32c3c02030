/** What the rest of the server may ask of workspaces. */
export { createDemoWorkspace } from './create-demo.ts'

/** What the start of the server asks for. */
export { applyBootstrap } from './apply-bootstrap.ts'
export { readBootstrap, type ReadWorkspace } from './read-bootstrap.ts'

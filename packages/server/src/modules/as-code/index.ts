/** What the rest of the server may ask of workspaces as code. */
export { applyDocument, finishDocument, refuseDocument } from './declare-document.ts'

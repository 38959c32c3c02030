/** Which links a workspace takes. */
export { forgetLinkSchemes, refuseLinks, readLinkFault } from './refuse-links.ts'

/** Which links a workspace takes, and where paths lead. */
export { findWebAddress } from './queries.ts'
export { forgetLinkSchemes, refuseLinks, readLinkFault } from './refuse-links.ts'

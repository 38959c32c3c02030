/** The version of the package, sent to the server with every request. */
export const VERSION = '0.1.0'

/** Of the package; said to the server with every request. */
export const VERSION = '0.1.0'

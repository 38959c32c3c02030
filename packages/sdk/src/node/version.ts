/** The version of the package, told with every request. A constant of its own: what two entries share would be a file more for pages. */
export const VERSION = '0.1.0'

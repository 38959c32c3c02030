const ISO = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/

/** Reads an ISO 8601 time and writes it in UTC. A time without a zone is UTC; anything else is undefined, also a day no calendar has. */
export function parseTime(text: string): string | undefined {
  if (!ISO.test(text)) return undefined
  const hasZone = /(Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10))
  const milliseconds = Date.parse(text.length === 10 || hasZone ? text : `${text}Z`)
  if (Number.isNaN(milliseconds) || !isDay(text.slice(0, 10))) return undefined
  const time = new Date(milliseconds).toISOString()
  // A zone can carry the first and the last year out of the four digits that times are compared by.
  return time.length === 24 ? time : undefined
}

/** Date.parse reads February 30 as March 2. */
function isDay(date: string): boolean {
  return new Date(Date.parse(date)).toISOString().startsWith(date)
}

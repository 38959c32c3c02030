/** The moment pickers work in the clock time of this browser; rules are stored as moments of UTC. */

/** `2026-03-01 18:00:00` of this zone. */
export function toLocal(iso: string): string {
  const at = new Date(iso)
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

export function toMoment(local: string): string {
  return new Date(local.replace(' ', 'T')).toISOString()
}

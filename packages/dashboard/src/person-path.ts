/** Addresses of people's pages. */

/** A person: a user id, or the device id of somebody who never signed in. */
type Named = { userId: string | null; deviceId?: string | null | undefined }

/** Ids that a browser takes out of an address, and those that are the address of another page. */
const TAKEN: ReadonlySet<string> = new Set(['.', '..', 'devices', 'erasures', 'closed-contacts', 'requests'])
/** Put before an id that is one of those, or begins with this sign. */
const MARK = '~'

/** Below the workspace's address: `/people/sara`, `/people/devices/phone-1`. */
export function personPath({ userId, deviceId }: Named): string {
  return userId === null ? `/people/devices/${segmentOf(deviceId ?? '')}` : `/people/${segmentOf(userId)}`
}

/** The id that `personPath` put there. */
export function idOfSegment(segment: string): string {
  return segment.startsWith(MARK) ? segment.slice(MARK.length) : segment
}

function segmentOf(id: string): string {
  return encodeURIComponent(TAKEN.has(id) || id.startsWith(MARK) ? MARK + id : id)
}

/** What is held of something that there is only so much of: by one, by all together, and how much there is. */
export type StorageUse = { own: number; all: number; most: number }

/**
 * Whether one of many may have another. Each may hold so many `times` what is left free: whoever is alone gets nearly all of it
 * (three times: three quarters), and whoever comes next the same share of the rest. So nobody has to say how many there will be, and
 * none takes everything from the others.
 */
export function isRoomFor({ own, all, most }: StorageUse, times: number): boolean {
  return all < most && own < times * (most - all)
}

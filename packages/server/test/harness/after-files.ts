/** When that ends which the test files of a process share. */
import { after } from 'node:test'

type End = () => Promise<void>

let ends: End[] | undefined

/** Ends it behind the last file of the process; with the file when that is the only one. */
export function afterFiles(end: End): void {
  if (ends) ends.push(end)
  else after(end)
}

/** Called before the first of several files. Returns what ends everything they shared, the latest first. */
export function shareUntilLast(): End {
  const shared: End[] = (ends = [])
  return async () => {
    for (const end of shared.toReversed()) await end()
  }
}

/** Keys that are made at a start, and told by a file alone. */
import { readFileSync, writeFileSync } from 'node:fs'
import type { DeclaredKey } from '../workspaces/index.ts'
import { keyTextFault, makeKeyText } from '../workspaces/index.ts'
import { BootstrapFault, type ReadKey } from './read-bootstrap.ts'

const FOR_OWNER = 0o600

/**
 * The key with where its text comes from. A file that is there holds it, so that a start that ended between writing the file
 * and storing the key goes on with the same key. Processes take turns, so one of them makes it.
 */
export function declaredKey(workspaceId: string, { text, writeTo, ...key }: ReadKey, at: string): DeclaredKey {
  if (writeTo === undefined) return { ...key, text: () => text }
  return {
    ...key,
    text: (isNew) => {
      const found = readKeyFile(writeTo, at) ?? (isNew ? writeKeyFile(writeTo, makeKeyText(workspaceId, key), at) : undefined)
      const fault = found === undefined ? undefined : keyTextFault(workspaceId, key, found)
      if (fault !== undefined) throw new BootstrapFault(`${at}.writeTo: ${writeTo} holds something else: the key ${fault}`)
      return found
    },
  }
}

function readKeyFile(file: string, at: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new BootstrapFault(`${at}.writeTo cannot be read: ${codeOf(error)} ${file}`)
  }
}

function writeKeyFile(file: string, text: string, at: string): string {
  try {
    writeFileSync(file, `${text}\n`, { mode: FOR_OWNER, flag: 'wx' })
    return text
  } catch (error) {
    throw new BootstrapFault(`${at}.writeTo cannot be written: ${codeOf(error)} ${file}`)
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown'
}

/** What lies in the data folder is for the user of the server alone, whatever the folder was before somebody named it here. */
import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { Logger } from '../log.ts'
import { KEY_FILE } from '../secrets/secrets.ts'

const [FOLDER, FILE] = [0o700, 0o600]
/** Anybody else's rights. */
const OTHERS = 0o077
/** Of folders that everybody may write, as the system's temporary one: not ours, whoever owns them. */
const STICKY = 0o1000

/** Before anything is opened: the folders of the database and of files are private, with what lies in them. */
export function keepPrivate({ dataDir, databaseUrl, media }: Pick<Config, 'dataDir' | 'databaseUrl' | 'media'>, log: Logger): void {
  if (databaseUrl === '') mkdirSync(dataDir, { recursive: true, mode: FOLDER })
  tighten(join(dataDir, 'pg'), log)
  if (!media.s3) tighten(media.folder, log)
  tighten(join(dataDir, KEY_FILE), log)
  tighten(dataDir, log, { withContent: false })
}

/** What is in a folder comes first, so that a start that ends half way is made good by the next. A private one is not looked into. */
function tighten(path: string, log: Logger, { withContent } = { withContent: true }): void {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found || found.isSymbolicLink() || (found.mode & OTHERS) === 0) return
  if ((found.mode & STICKY) !== 0) {
    log.warn({ file: path }, 'everybody may write in this folder: name one of its own in CF_DATA_DIR or CF_MEDIA_DIR')
    return
  }
  try {
    if (found.isDirectory() && withContent) setModes(path)
    chmodSync(path, found.isDirectory() ? FOLDER : FILE)
  } catch (error) {
    // Somebody else's, or on a disk that knows no rights: the server works all the same.
    log.warn({ file: path, err: error }, 'others may read what is stored here, because its rights cannot be changed')
  }
}

function setModes(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (!entry.isSymbolicLink()) chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? FOLDER : FILE)
}

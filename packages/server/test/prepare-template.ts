/** Makes the migrated, empty embedded database that test files copy. */
import { openDatabase } from '../src/db/open.ts'

const folder = process.argv[2]
if (!folder) throw new Error('name the folder')
const log = { error: (details: object, message: string) => process.stderr.write(`${message} ${JSON.stringify(details)}\n`) }
const database = await openDatabase({ databaseUrl: '', dataDir: folder, databasePool: 1 }, log, (error) => {
  throw error
})
await database.close()

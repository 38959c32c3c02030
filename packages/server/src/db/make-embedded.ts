/** Makes an empty embedded database in a process of its own: making one takes some 400 MB that a long-lived process would keep. */
import { PGlite } from '@electric-sql/pglite'

const database = await PGlite.create(process.argv[2])
await database.close()

/** The migrated, empty database that test files copy. `make` prints where it is, `remove <where>` ends it. */
import { rmSync } from 'node:fs'
import { closeTemplate, dropPostgres, freshDatabase, migrate } from './start-app.ts'

const [command, place = ''] = process.argv.slice(2)
if (command === 'make') process.stdout.write(await make())
else if (place.startsWith('postgres')) await dropPostgres(place)
else rmSync(place, { recursive: true, force: true })

async function make(): Promise<string> {
  const { env } = await freshDatabase()
  await migrate(env)
  const place = Object.values(env).join()
  await closeTemplate(place)
  return place
}

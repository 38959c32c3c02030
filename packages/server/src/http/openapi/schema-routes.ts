import { printSchema, SCHEMA_NAMES } from '@contentflow/core/schemas/schemas.ts'
import type { FastifyInstance } from 'fastify'
import { answerOnce } from './answer-once.ts'

/** Editors that run in a browser read them too. */
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'access-control-allow-origin': '*',
  'cache-control': 'public, max-age=3600',
}

/** The schemas of the files that people write, for everybody: a file names its own as `$schema`. */
export function schemaRoutes(app: FastifyInstance): void {
  for (const name of SCHEMA_NAMES)
    app.get(
      `/schemas/${name}.json`,
      { config: { auth: 'none' } },
      answerOnce(() => printSchema(name), HEADERS),
    )
}

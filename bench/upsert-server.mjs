/** The limit of a write: node:http, the same driver with as many connections, and one upsert of one row for each request. */
import { createServer } from 'node:http'
import pg from 'pg'

const [connectionString, connections] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString, max: Number(connections), options: '-c synchronous_commit=on' })
await pool.query('create table if not exists bare_rows (id text primary key, traits jsonb not null, at timestamptz not null)')
const UPSERT = {
  name: 'upsert',
  text: 'insert into bare_rows (id, traits, at) values ($1, $2, $3) on conflict (id) do update set traits = excluded.traits, at = excluded.at',
}

const server = createServer({ headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 72_000 }, (request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const { deviceId, traits } = JSON.parse(Buffer.concat(chunks).toString())
    void pool.query({ ...UPSERT, values: [deviceId, JSON.stringify(traits), new Date()] }).then(() => {
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end('{"success":true}')
    })
  })
})
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => process.stdout.write(`listening ${server.address().port}\n`))
